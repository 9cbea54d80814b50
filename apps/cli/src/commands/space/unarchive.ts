import type { Verb } from '../../command.js'
import { oneSpace } from '../../show/space.js'
import { withClient } from '../../start.js'

export const unarchive: Verb = (space) => {
  space
    .command('unarchive')
    .description('Bring an archived space back, within 30 days')
    .argument('<space>', 'Space ID')
    .action(
      withClient(async (client, cli, space_id) => {
        cli.out.result(await client.space.unarchive.mutate({ space_id }), oneSpace)
      }),
    )
}
