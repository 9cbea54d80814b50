import { type Client, eventually, sharedMail } from '@collab-spaces/testing'
import { newVerifier } from '@collab-spaces/testing/identity-provider'

/** The code of a link, and what the browser that requested it has kept. */
export interface OpenedLink {
  readonly code: string
  readonly verifier: string
}

/** Returns the codes of all links that the shared mail server has received for an address. */
export async function codesSentTo(email: string): Promise<string[]> {
  const { messages } = await sharedMail()
  return messages
    .filter(({ to }) => to === email)
    .map(({ text }) => /\/sign-in\/email(?:\/confirm)?#([\w-]+)/.exec(text)?.[1] ?? '')
}

/** Requests a link that is sent to `sentTo`, and waits for it. */
async function requestLink(client: Client, path: string, email: string, sentTo: string): Promise<OpenedLink> {
  const { verifier, challenge } = newVerifier()
  const { length } = await codesSentTo(sentTo)
  await client.post(path, { email, challenge }).expect(200)
  const code = await eventually(async () => (await codesSentTo(sentTo))[length])
  return { code, verifier }
}

/** Requests a link that binds an address to the account of a client. */
export const requestBinding = (client: Client, email: string): Promise<OpenedLink> =>
  requestLink(client, '/api/identities/email', email, email)

/** Requests a sign-in link, which goes to the bound spelling of the address. */
export const requestSignIn = (client: Client, email: string, sentTo = email): Promise<OpenedLink> =>
  requestLink(client.as(undefined), '/api/sign-in/email', email, sentTo)

/** Binds an address to the account of a client. */
export async function bindEmail(client: Client, email: string): Promise<void> {
  await client.post('/api/identities/email/finish', await requestBinding(client, email)).expect(200)
}
