import type { Verb } from '../../command.js'
import { failed } from '../../failure.js'
import { agentsOf } from '../../id/kind.js'
import { withNamed } from '../../id/named.js'
import { oneActor } from '../../show/actor.js'

export const show: Verb = (agent) => {
  agent
    .command('show')
    .description('Show one of your agents, and where it is connected')
    .argument('<agent>', 'Agent, by name or ID')
    .action(
      withNamed(agentsOf, async (client, cli, actor_id) => {
        const agents = await client.rest('actor.myAgents', {})
        const agent = agents.find((agent) => agent.actor_id === actor_id)
        if (!agent) throw failed(`You have no agent ${actor_id}`, 'List them: spaces agent list')
        cli.out.result(agent, oneActor)
      }),
    )
}
