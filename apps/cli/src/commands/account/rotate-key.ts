import { isPersonalAccessToken } from '../../account/token.js'
import type { Cli } from '../../cli.js'
import type { Verb } from '../../command.js'
import { issued } from '../../input/form.js'
import { linesOfEnded } from '../../show/credential.js'
import { withClient } from '../../start.js'
import { lines, styled } from '../../terminal/styled.js'

export const rotateKey: Verb = (account) => {
  account
    .command('rotate-key')
    .description('Replace your API key and print the new one, which is shown once')
    .option('--force', 'As an agent: replace it even if you are connected elsewhere')
    .option('--revoke-tokens', 'End everything else, too: tokens, invites, webhooks; stop your agents')
    .option('--yes', 'Skip the confirmation prompt')
    .addHelpText(
      'after',
      '\nWithout --revoke-tokens, personal access tokens, which this command signs in with, stay valid, and so does\n' +
        'whatever was made with the old key. With it, all that ends that was made with any of your credentials, and\n' +
        'this command signs in with the new key.',
    )
    .action(
      withClient(async (client, cli, { force, revokeTokens, yes }) => {
        const { actor_id } = await client.actor.me.query()
        if (revokeTokens && !yes) {
          const [key] = await client.credential.list.query({ actor_id })
          if (key?.everything) cli.out.note(lines(['This ends, too:', ...linesOfEnded(key.everything)]))
        }
        await cli.prompt.confirm(
          revokeTokens
            ? 'Replace your API key and end all of this? It stops working immediately, everywhere.'
            : 'Replace your API key? The old one stops working immediately.',
          yes,
        )
        const actor = await client.actor.rotateKey.mutate({ actor_id, force, revoke_tokens: revokeTokens })
        cli.out.note(styled`The new API key of ${actor.display_name}, shown once:`)
        cli.out.result(actor, ({ api_key }) => api_key)
        if (actor.ended) {
          cli.out.note(lines(['This has ended; agents are stopped:', ...linesOfEnded(actor.ended)]))
        }
        await saveKey(cli, actor.api_key, revokeTokens)
      }),
    )
}

/** Saves the new key for an account that is signed in with what has ended, and would be locked out. */
async function saveKey(cli: Cli, api_key: string, tokensRevoked = false): Promise<void> {
  const { profile, token } = await cli.account()
  if (profile === null || (isPersonalAccessToken(token) && !tokensRevoked)) return
  await cli.profiles.update(profile, { token: issued('token', api_key) })
}
