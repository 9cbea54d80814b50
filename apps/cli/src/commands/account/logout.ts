import { type Client, SpacesError } from '@collab-spaces/client'
import { isPersonalAccessToken, prefixOf } from '../../account/token.js'
import type { Define } from '../../command.js'
import { failed, usage } from '../../failure.js'
import { start } from '../../start.js'

export const define: Define = (logout) => {
  logout
    .option('--revoke', 'Revoke the token on the server, too, or end the session')
    .option('--everywhere', 'End all your sessions, too, in browsers and on other machines')
    .option('--yes', 'Skip the confirmation prompt')
    .addHelpText(
      'after',
      `
Removes the token from this machine. To sign in again you need another token, or a copy of this one.
With --everywhere, every session ends that began with a sign-in; tokens and the API key stay valid. If another person may have
seen those, run: spaces account rotate-key --revoke-tokens

Examples:
  $ spaces logout
  $ spaces logout --profile work --revoke
  $ spaces logout --everywhere`,
    )
    .action(
      start(async (cli, { revoke, everywhere, yes }) => {
        const { url, token, profile } = await cli.account()
        if (profile === null) {
          throw usage(
            'You are signed in with SPACES_TOKEN, which is not saved on this machine',
            'Run: unset SPACES_TOKEN. Or choose an account with --profile',
          )
        }
        if (revoke && !isPersonalAccessToken(token)) {
          throw usage('An API key cannot be revoked, only replaced', 'See: spaces agent rotate-key --help')
        }
        await cli.prompt.confirm(`Sign out of ${profile}? To sign in again you need another token.`, yes)
        const client = cli.clientFor({ url, token })
        const sessions_ended = everywhere ? (await client.signIn.out.mutate({ everywhere })).ended : undefined
        const revoked = revoke ? await revokeToken(client, token) : false
        await cli.profiles.remove(profile)
        cli.out.result({ profile, url, revoked, sessions_ended }, () =>
          [
            `Signed out of ${profile}${revoked ? ' and revoked its token' : ''}.`,
            sessions_ended !== undefined && ` Sessions that have ended: ${sessions_ended}.`,
          ]
            .filter(Boolean)
            .join(''),
        )
        const { current } = await cli.profiles.read()
        if (current !== null) cli.out.note(`Switched to ${current}.`)
      }),
    )
}

/** False when the token was not valid any more. */
async function revokeToken(client: Client, token: string): Promise<boolean> {
  try {
    const { ended } = await client.signIn.out.mutate({})
    if (ended > 0) return true
    const alike = (await client.token.list.query({})).filter((other) => other.token_prefix === prefixOf(token))
    const [own, ...others] = alike
    if (!own || others.length > 0) {
      throw failed('Several of your tokens begin like this one', 'Revoke it by its ID: spaces token list')
    }
    await client.token.revoke.mutate({ pat_id: own.pat_id })
    return true
  } catch (error) {
    if (error instanceof SpacesError && error.status === 401) return false
    throw error
  }
}
