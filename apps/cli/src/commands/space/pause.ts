import type { Verb } from '../../command.js'
import { oneSpace } from '../../show/space.js'
import { withClient } from '../../start.js'

export const pause: Verb = (space) => {
  space
    .command('pause')
    .description('Pause a space: it accepts no events until it is resumed')
    .argument('<space>', 'Space ID')
    .action(
      withClient(async (client, cli, space_id) => {
        cli.out.result(await client.space.change.mutate({ space_id, status: 'paused' }), oneSpace)
      }),
    )
}
