import type { Verb } from '../../command.js'
import { listOfAgentCodes } from '../../show/agent-code.js'
import { start } from '../../start.js'

export const invites: Verb = (agent) => {
  agent
    .command('invites')
    .description('List the agents you have invited, newest first')
    .action(
      start(async (cli) => {
        const client = await cli.client()
        await cli.out.longResult(await client.rest('agentCode.list', {}), listOfAgentCodes)
      }),
    )
}
