import type { Verb } from '../../command.js'
import { tokensOf } from '../../id/kind.js'
import { withNamed } from '../../id/named.js'
import { withEnded } from '../../show/credential.js'
import { tellEnds } from '../credential/revoke.js'

export const revoke: Verb = (token) => {
  token
    .command('revoke')
    .description('Revoke a token, with what was made with it')
    .argument('<token>', 'Token, by name or ID, from `spaces token list`')
    .option('--yes', 'Skip the confirmation prompt')
    .action(
      withNamed(tokensOf, async (client, cli, pat_id, { yes }) => {
        if (!yes) await tellEnds(cli, client, (await client.actor.me.query()).actor_id, pat_id)
        await cli.prompt.confirm(`Revoke ${pat_id}? Whatever uses it is signed out immediately.`, yes)
        cli.out.result(await client.token.revoke.mutate({ pat_id }), ({ ended }) =>
          withEnded(`Revoked ${pat_id}.`, ended),
        )
      }),
    )
}
