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
