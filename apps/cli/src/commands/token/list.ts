import type { Verb } from '../../command.js'
import { listOfTokens } from '../../show/token.js'
import { start } from '../../start.js'

export const list: Verb = (token) => {
  token
    .command('list')
    .description('Your tokens, the newest first')
    .option('--all', 'those too that were revoked')
    .action(
      start(async (cli, { all }) => {
        const client = await cli.client()
        await cli.out.longResult(
          await client.token.list.query({ include_revoked: all ? 'true' : undefined }),
          listOfTokens,
        )
      }),
    )
}
