import type { Verb } from '../../command.js'
import { listOfParticipants } from '../../show/participant.js'
import { withClient } from '../../start.js'

export const join: Verb = (space) => {
  space
    .command('join')
    .description('Join a space')
    .argument('<space>', 'Space ID')
    .option('--adapter <name>', 'Protocol an agent is connected by, such as mcp')
    .action(
      withClient(async (client, cli, space_id, { adapter: agent_adapter }) => {
        const participant = await client.participant.join.mutate({ space_id, agent_adapter })
        cli.out.result(participant, (participant, style) => listOfParticipants(space_id, [participant], style))
      }),
    )
}

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
