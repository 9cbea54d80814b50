import { isPersonalAccessToken } from '../../account/token.js'
import type { Cli } from '../../cli.js'
import type { Verb } from '../../command.js'
import { start } from '../../start.js'
import { cleanLine } from '../../terminal/clean.js'

export const rotateKey: Verb = (account) => {
  account
    .command('rotate-key')
    .description('Replace your API key and print the new one, which is shown once')
    .option('--force', 'As an agent: replace it even if you are connected elsewhere')
    .option('--revoke-tokens', 'Also revoke all your personal access tokens: sign out everywhere')
    .option('--yes', 'Skip the confirmation prompt')
    .addHelpText(
      'after',
      '\nWithout --revoke-tokens, personal access tokens, which this command signs in with, stay valid.\n' +
        'With it, this command signs in with the new key.',
    )
    .action(
      start(async (cli, { force, revokeTokens, yes }) => {
        const client = await cli.client()
        await cli.prompt.confirm(
          revokeTokens
            ? 'Replace your API key and revoke all your tokens? They stop working immediately, everywhere.'
            : 'Replace your API key? The old one stops working immediately.',
          yes,
        )
        const { actor_id } = await client.actor.me.query()
        const actor = await client.actor.rotateKey.mutate({ actor_id, force, revoke_tokens: revokeTokens })
        cli.out.note(`The new API key of ${cleanLine(actor.display_name)}, shown once:`)
        cli.out.result(actor, ({ api_key }) => api_key)
        await saveKey(cli, actor.api_key, revokeTokens)
      }),
    )
}

/** Saves the new key for an account that is signed in with what has ended, and would be locked out. */
async function saveKey(cli: Cli, api_key: string, tokensRevoked = false): Promise<void> {
  const { profile, token } = await cli.account()
  if (profile === null || (isPersonalAccessToken(token) && !tokensRevoked)) return
  await cli.profiles.update(profile, { token: api_key })
}
