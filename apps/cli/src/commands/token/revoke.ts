import type { Verb } from '../../command.js'
import { start } from '../../start.js'

export const revoke: Verb = (token) => {
  token
    .command('revoke')
    .description('Revoke a token')
    .argument('<token>', 'Token ID, from `spaces token list`')
    .option('--yes', 'Skip the confirmation prompt')
    .action(
      start(async (cli, pat_id, { yes }) => {
        const client = await cli.client()
        await cli.prompt.confirm(`Revoke ${pat_id}? Whatever uses it is signed out immediately.`, yes)
        cli.out.result(await client.token.revoke.mutate({ pat_id }), () => `Revoked ${pat_id}.`)
      }),
    )
}
