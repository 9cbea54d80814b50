import type { Verb } from '../../command.js'
import { oneSpace } from '../../show/space.js'
import { withClient } from '../../start.js'

export const resume: Verb = (space) => {
  space
    .command('resume')
    .description('Resume a paused space')
    .argument('<space>', 'Space ID')
    .action(
      withClient(async (client, cli, space_id) => {
        cli.out.result(await client.space.change.mutate({ space_id, status: 'active' }), oneSpace)
      }),
    )
}
