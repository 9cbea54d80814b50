import type { Verb } from '../../command.js'
import { listOfAgents } from '../../show/actor.js'
import { withClient } from '../../start.js'

export const list: Verb = (agent) => {
  agent
    .command('list')
    .description('List your agents')
    .action(
      withClient(async (client, cli) => {
        const agents = await client.rest('actor.myAgents', {})
        await cli.out.longResult(agents, listOfAgents)
        await cli.numbers({ noun: 'agent' }, agents, ({ actor_id }) => actor_id)
      }),
    )
}
