import type { Verb } from '../../command.js'
import { withClient } from '../../start.js'

export const leave: Verb = (space) => {
  space
    .command('leave')
    .description('Leave a space; what you said stays there')
    .argument('<space>', 'Space ID')
    .action(
      withClient(async (client, cli, space_id) => {
        cli.out.result(await client.participant.leave.mutate({ space_id }), () => `You have left ${space_id}.`)
      }),
    )
}
