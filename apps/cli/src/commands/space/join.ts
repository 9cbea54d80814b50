import type { Verb } from '../../command.js'
import { listOfMembers } from '../../show/participant.js'
import { start } from '../../start.js'

export const join: Verb = (space) => {
  space
    .command('join')
    .description('Become a member of a space')
    .argument('<space>', 'its id')
    .option('--adapter <name>', 'for agents: the protocol you are connected by, such as mcp')
    .action(
      start(async (cli, space_id, { adapter: agent_adapter }) => {
        const client = await cli.client()
        const member = await client.participant.join.mutate({ space_id, agent_adapter })
        cli.out.result(member, (member, style) => listOfMembers(space_id, [member], style))
      }),
    )
}
