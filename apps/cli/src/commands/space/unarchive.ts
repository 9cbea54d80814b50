import type { Verb } from '../../command.js'
import { oneSpace } from '../../show/space.js'
import { start } from '../../start.js'

export const unarchive: Verb = (space) => {
  space
    .command('unarchive')
    .description('Bring an archived space back, within 30 days')
    .argument('<space>', 'Space ID')
    .action(
      start(async (cli, space_id) => {
        const client = await cli.client()
        cli.out.result(await client.space.unarchive.mutate({ space_id }), oneSpace)
      }),
    )
}
