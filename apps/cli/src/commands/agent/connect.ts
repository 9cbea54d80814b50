import type { Verb } from '../../command.js'
import { fullId } from '../../id/full-id.js'
import { agentsOf } from '../../id/kind.js'
import { oneConnectedAgent } from '../../show/actor.js'
import { withClient } from '../../start.js'

export const connect: Verb = (agent) => {
  agent
    .command('connect')
    .description('Connect an agent to the one installation it runs in')
    .argument('<agent>', 'Agent, by name or ID')
    .requiredOption('--installation <id>', 'ID that the installation chose for itself, and keeps (required)')
    .option('--adapter <name>', 'Protocol it is connected by, such as mcp')
    .action(
      withClient(async (client, cli, given, { installation: installation_id, adapter: agent_adapter }) => {
        const actor_id = await fullId(cli, agentsOf(client), given)
        cli.out.result(
          await client.actor.connect.mutate({ actor_id, installation_id, agent_adapter }),
          oneConnectedAgent,
        )
      }),
    )
}
