import type { RouterInputs } from '@collab-spaces/client'
import type { Account } from '../session/accounts'
import { refresh, SECRET, useChange } from './call'
import { CREDENTIALS } from './credential'

const nothing = () => undefined

/** Issues a code for a CLI on this machine. */
export const useAuthorizeCli = () =>
  useChange((client, request: RouterInputs['signIn']['code']) => client.signIn.code.mutate(request), nothing, SECRET)

/** Finds the CLI that shows a code. A mutation, as each call asks the server. */
export const useFindDevice = () =>
  useChange((client, user_code: string) => client.device.get.query({ user_code }), nothing)

export const useAnswerDevice = () =>
  useChange(
    (client, answer: RouterInputs['device']['answer'] & { readonly allow: boolean }) =>
      client.device.answer.mutate(answer),
    refresh(CREDENTIALS),
  )

/** Sends a link that adds an address to this account as a sign-in method. */
export const useSendBindingLink = () =>
  useChange(
    (client, { email, challenge }: RouterInputs['identity']['beginEmail']) =>
      client.identity.beginEmail.mutate({ email, challenge }),
    nothing,
  )

/** Creates a passkey, and adds it to this account. */
export const useAddPasskey = () =>
  useChange(async (client, name: string) => {
    // Loads after the first view.
    const [{ options }, { startRegistration }] = await Promise.all([
      client.passkey.begin.mutate(),
      import('@simplewebauthn/browser'),
    ])
    const response = await startRegistration({ optionsJSON: options as never })
    return client.passkey.add.mutate({ name, response: { ...response } as never })
  }, refresh(CREDENTIALS))

/** Ends the sessions of an account. Goes on to the identity provider if its session here began there. */
export const useSignOutEverywhere = ({ isSession, logoutUrl }: Account) =>
  useChange(async (client) => {
    await client.signIn.out.mutate({ everywhere: true })
    if (isSession && logoutUrl) window.location.assign(logoutUrl)
  }, refresh(CREDENTIALS))
