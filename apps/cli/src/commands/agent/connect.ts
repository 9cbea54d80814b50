import type { Verb } from '../../command.js'
import { agentsOf } from '../../id/kind.js'
import { withNamed } from '../../id/named.js'
import { oneConnectedAgent } from '../../show/actor.js'

export const connect: Verb = (agent) => {
  agent
    .command('connect')
    .description('Connect an agent to the one installation it runs in')
    .argument('<agent>', 'Agent, by name or ID')
    .requiredOption('--installation <id>', 'ID that the installation chose for itself, and keeps (required)')
    .option('--adapter <name>', 'Protocol it is connected by, such as mcp')
    .action(
      withNamed(agentsOf, async (client, cli, actor_id, { installation: installation_id, adapter: agent_adapter }) => {
        cli.out.result(
          await client.actor.connect.mutate({ actor_id, installation_id, agent_adapter }),
          oneConnectedAgent,
        )
      }),
    )
}
