import type { Verb } from '../../command.js'
import { listOfAgentCodes } from '../../show/agent-code.js'
import { withClient } from '../../start.js'

export const invites: Verb = (agent) => {
  agent
    .command('invites')
    .description('List the agents you have invited, newest first')
    .action(
      withClient(async (client, cli) => {
        const codes = await client.rest('agentCode.list', {})
        await cli.out.longResult(codes, listOfAgentCodes)
        await cli.numbers({ noun: 'invitation' }, codes, ({ code_id }) => code_id)
      }),
    )
}
