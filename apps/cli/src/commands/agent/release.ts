import type { Verb } from '../../command.js'
import { fullId } from '../../id/full-id.js'
import { agentsOf } from '../../id/kind.js'
import { start } from '../../start.js'

export const release: Verb = (agent) => {
  agent
    .command('release')
    .description('Release an agent from its installation; its key stays valid')
    .argument('<agent>', 'Agent, by name or ID')
    .action(
      start(async (cli, given) => {
        const client = await cli.client()
        const actor_id = await fullId(cli, agentsOf(client), given)
        cli.out.result(await client.actor.release.mutate({ actor_id }), ({ agent_id, status }) =>
          status === 'released' ? `Released ${agent_id}.` : `${agent_id} was not connected.`,
        )
      }),
    )
}
