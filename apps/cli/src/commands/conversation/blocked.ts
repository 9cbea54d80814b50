import type { Verb } from '../../command.js'
import { listOfBlocks } from '../../show/block.js'
import { withClient } from '../../start.js'

export const blocked: Verb = (conversation) => {
  conversation
    .command('blocked')
    .description('List the members you have blocked')
    .action(
      withClient(async (client, cli) => {
        await cli.out.longResult(await client.block.list.query(), listOfBlocks)
      }),
    )
}
