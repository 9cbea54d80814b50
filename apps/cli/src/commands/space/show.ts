import type { Verb } from '../../command.js'
import { oneSpace } from '../../show/space.js'
import { start } from '../../start.js'

export const show: Verb = (space) => {
  space
    .command('show')
    .description('Show a space and its participants')
    .argument('<space>', 'Space ID')
    .action(
      start(async (cli, space_id) => {
        const client = await cli.client()
        await cli.out.longResult(await client.space.status.query({ space_id }), oneSpace)
      }),
    )
}
