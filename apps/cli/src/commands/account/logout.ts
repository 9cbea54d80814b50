import { type Client, SpacesError } from '@collab-spaces/client'
import { isPersonalAccessToken, shownPart } from '../../account/token.js'
import type { Define } from '../../command.js'
import { failed, usage } from '../../failure.js'
import { start } from '../../start.js'

export const define: Define = (logout) => {
  logout
    .option('--revoke', 'let the server forget the token too, wherever else it may be kept')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      `
A token is shown once, when it is made. To come back you need another one, or this one from elsewhere.

Examples:
  $ spaces logout
  $ spaces logout --profile work --revoke`,
    )
    .action(
      start(async (cli, { revoke, yes }) => {
        const { url, token, profile } = await cli.account()
        if (profile === null) {
          throw usage(
            'You are signed in by SPACES_TOKEN, which is not kept here',
            'unset SPACES_TOKEN, or name a --profile',
          )
        }
        if (revoke && !isPersonalAccessToken(token)) {
          throw usage('An API key cannot be revoked, only replaced', 'See: spaces agent rotate-key --help')
        }
        await cli.prompt.confirm(`Forget the token of ${profile}? Without another one you cannot come back.`, yes)
        const revoked = revoke ? await revokeToken(cli.clientFor({ url, token }), token) : false
        await cli.profiles.forget(profile)
        cli.out.result({ profile, url, revoked }, () => `Forgot ${profile}${revoked ? ', and revoked its token' : ''}.`)
        const { current } = await cli.profiles.read()
        if (current !== null) cli.out.note(`You are ${current} now.`)
      }),
    )
}

/** True when the token is revoked now, false when it already was of no use. */
async function revokeToken(client: Client, token: string): Promise<boolean> {
  try {
    const alike = (await client.token.list.query({})).filter((other) => other.token_prefix === shownPart(token))
    const [own, ...others] = alike
    if (!own || others.length > 0) {
      throw failed('Several tokens of yours begin like this one', 'Revoke it by its id: spaces token list')
    }
    await client.token.revoke.mutate({ pat_id: own.pat_id })
    return true
  } catch (error) {
    if (error instanceof SpacesError && error.status === 401) return false
    throw error
  }
}
