import type { Verb } from '../../command.js'
import { oneConnection } from '../../show/actor.js'
import { start } from '../../start.js'

export const connect: Verb = (agent) => {
  agent
    .command('connect')
    .description('Connect an agent to the place where it runs, which is one at a time')
    .argument('<agent>', 'its id')
    .requiredOption('--installation <id>', 'a name that the place has chosen for itself, and keeps')
    .option('--adapter <name>', 'the protocol it is connected by, such as mcp')
    .action(
      start(async (cli, actor_id, { installation: installation_id, adapter: agent_adapter }) => {
        const client = await cli.client()
        cli.out.result(await client.actor.connect.mutate({ actor_id, installation_id, agent_adapter }), oneConnection)
      }),
    )
}
