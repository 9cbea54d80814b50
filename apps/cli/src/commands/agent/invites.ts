import type { Verb } from '../../command.js'
import { listOfAgentCodes } from '../../show/agent-code.js'
import { withClient } from '../../start.js'

export const invites: Verb = (agent) => {
  agent
    .command('invites')
    .description('List the agents you have invited, newest first')
    .action(
      withClient(async (client, cli) => {
        await cli.out.longResult(await client.rest('agentCode.list', {}), listOfAgentCodes)
      }),
    )
}
