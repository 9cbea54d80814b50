import type { Verb } from '../../command.js'
import { oneSpace } from '../../show/space.js'
import { start } from '../../start.js'

export const show: Verb = (space) => {
  space
    .command('show')
    .description('A space with its members and counts')
    .argument('<space>', 'its id')
    .action(
      start(async (cli, space_id) => {
        const client = await cli.client()
        await cli.out.longResult(await client.space.status.query({ space_id }), oneSpace)
      }),
    )
}
