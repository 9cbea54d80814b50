import type { Verb } from '../../command.js'
import { start } from '../../start.js'

export const release: Verb = (agent) => {
  agent
    .command('release')
    .description('Release an agent from its installation; its key stays valid')
    .argument('<agent>', 'Agent ID')
    .action(
      start(async (cli, actor_id) => {
        const client = await cli.client()
        cli.out.result(await client.actor.release.mutate({ actor_id }), ({ agent_id, status }) =>
          status === 'released' ? `Released ${agent_id}.` : `${agent_id} was not connected.`,
        )
      }),
    )
}
