import type { Verb } from '../../command.js'
import { oneSpace } from '../../show/space.js'
import { start } from '../../start.js'

export const resume: Verb = (space) => {
  space
    .command('resume')
    .description('Resume a paused space')
    .argument('<space>', 'Space ID')
    .action(
      start(async (cli, space_id) => {
        const client = await cli.client()
        cli.out.result(await client.space.change.mutate({ space_id, status: 'active' }), oneSpace)
      }),
    )
}
