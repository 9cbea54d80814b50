import type { Verb } from '../../command.js'
import { fullId } from '../../id/full-id.js'
import { agentsOf } from '../../id/kind.js'
import { withClient } from '../../start.js'

export const release: Verb = (agent) => {
  agent
    .command('release')
    .description('Release an agent from its installation; its key stays valid')
    .argument('<agent>', 'Agent, by name or ID')
    .action(
      withClient(async (client, cli, given) => {
        const actor_id = await fullId(cli, agentsOf(client), given)
        cli.out.result(await client.actor.release.mutate({ actor_id }), ({ agent_id, status }) =>
          status === 'released' ? `Released ${agent_id}.` : `${agent_id} was not connected.`,
        )
      }),
    )
}
