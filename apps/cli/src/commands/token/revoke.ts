import type { Verb } from '../../command.js'
import { tokensOf } from '../../id/kind.js'
import { withNamed } from '../../id/named.js'
import { linesOfEnded, withEnded } from '../../show/credential.js'

export const revoke: Verb = (token) => {
  token
    .command('revoke')
    .description('Revoke a token, with what was made with it')
    .argument('<token>', 'Token, by name or ID, from `spaces token list`')
    .option('--yes', 'Skip the confirmation prompt')
    .action(
      withNamed(tokensOf, async (client, cli, pat_id, { yes }) => {
        if (!yes) {
          const { actor_id } = await client.actor.me.query()
          const credentials = await client.credential.list.query({ actor_id })
          const ends = credentials.find(({ credential_id }) => credential_id === pat_id)?.ends
          if (ends && ends.count > 0) cli.out.note(['This ends with it:', ...linesOfEnded(ends)].join('\n'))
        }
        await cli.prompt.confirm(`Revoke ${pat_id}? Whatever uses it is signed out immediately.`, yes)
        cli.out.result(await client.token.revoke.mutate({ pat_id }), ({ ended }) =>
          withEnded(`Revoked ${pat_id}.`, ended),
        )
      }),
    )
}
