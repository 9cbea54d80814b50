import type { Verb } from '../../command.js'
import { start } from '../../start.js'

export const revoke: Verb = (token) => {
  token
    .command('revoke')
    .description('End a token: from then on it opens nothing')
    .argument('<token>', 'its id, as `spaces token list` has it')
    .option('--yes', 'do not ask')
    .action(
      start(async (cli, pat_id, { yes }) => {
        const client = await cli.client()
        await cli.prompt.confirm(`Revoke ${pat_id}? Whatever uses it is signed out at once.`, yes)
        cli.out.result(await client.token.revoke.mutate({ pat_id }), () => `Revoked ${pat_id}.`)
      }),
    )
}
