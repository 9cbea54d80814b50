import type { Verb } from '../../command.js'
import { listOfTokens } from '../../show/token.js'
import { withClient } from '../../start.js'

export const list: Verb = (token) => {
  token
    .command('list')
    .description('List your tokens, newest first')
    .option('--all', 'Include revoked tokens')
    .action(
      withClient(async (client, cli, { all }) => {
        const tokens = await client.token.list.query({ include_revoked: all })
        await cli.out.longResult(tokens, listOfTokens)
        await cli.numbers({ noun: 'token' }, tokens, ({ pat_id }) => pat_id)
      }),
    )
}
