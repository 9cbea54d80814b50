import type { Verb } from '../../command.js'
import { start } from '../../start.js'

export const leave: Verb = (space) => {
  space
    .command('leave')
    .description('Leave a space; what you said stays there')
    .argument('<space>', 'Space ID')
    .action(
      start(async (cli, space_id) => {
        const client = await cli.client()
        cli.out.result(await client.participant.leave.mutate({ space_id }), () => `You have left ${space_id}.`)
      }),
    )
}
