import type { Verb } from '../../command.js'
import { agentsOf } from '../../id/kind.js'
import { withNamed } from '../../id/named.js'

export const release: Verb = (agent) => {
  agent
    .command('release')
    .description('Release an agent from its installation; its key stays valid')
    .argument('<agent>', 'Agent, by name or ID')
    .action(
      withNamed(agentsOf, async (client, cli, actor_id) => {
        cli.out.result(await client.actor.release.mutate({ actor_id }), ({ agent_id, status }) =>
          status === 'released' ? `Released ${agent_id}.` : `${agent_id} was not connected.`,
        )
      }),
    )
}
