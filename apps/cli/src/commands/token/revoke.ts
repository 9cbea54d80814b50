import type { Verb } from '../../command.js'
import { fullId } from '../../id/full-id.js'
import { tokensOf } from '../../id/kind.js'
import { start } from '../../start.js'

export const revoke: Verb = (token) => {
  token
    .command('revoke')
    .description('Revoke a token')
    .argument('<token>', 'Token, by name or ID, from `spaces token list`')
    .option('--yes', 'Skip the confirmation prompt')
    .action(
      start(async (cli, given, { yes }) => {
        const client = await cli.client()
        const pat_id = await fullId(cli, tokensOf(client), given)
        await cli.prompt.confirm(`Revoke ${pat_id}? Whatever uses it is signed out immediately.`, yes)
        cli.out.result(await client.token.revoke.mutate({ pat_id }), () => `Revoked ${pat_id}.`)
      }),
    )
}
