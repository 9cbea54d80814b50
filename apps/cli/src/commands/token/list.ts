import type { Verb } from '../../command.js'
import { listOfTokens } from '../../show/token.js'
import { start } from '../../start.js'

export const list: Verb = (token) => {
  token
    .command('list')
    .description('List your tokens, newest first')
    .option('--all', 'Include revoked tokens')
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
