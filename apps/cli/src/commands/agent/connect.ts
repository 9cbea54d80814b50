import type { Verb } from '../../command.js'
import { oneConnectedAgent } from '../../show/actor.js'
import { start } from '../../start.js'

export const connect: Verb = (agent) => {
  agent
    .command('connect')
    .description('Connect an agent to the one installation it runs in')
    .argument('<agent>', 'Agent ID')
    .requiredOption('--installation <id>', 'ID that the installation chose for itself, and keeps (required)')
    .option('--adapter <name>', 'Protocol it is connected by, such as mcp')
    .action(
      start(async (cli, actor_id, { installation: installation_id, adapter: agent_adapter }) => {
        const client = await cli.client()
        cli.out.result(
          await client.actor.connect.mutate({ actor_id, installation_id, agent_adapter }),
          oneConnectedAgent,
        )
      }),
    )
}
