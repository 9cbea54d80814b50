import type { Verb } from '../../command.js'
import { usage } from '../../failure.js'
import { fullId } from '../../id/full-id.js'
import { agentsOf } from '../../id/kind.js'
import { names } from '../../show/actor.js'
import { start } from '../../start.js'

export const stop: Verb = (agent) => {
  agent
    .command('stop')
    .description('Stop an agent at once; until you start it again, it can only read')
    .argument('[agent]', 'Agent, by name or ID')
    .option('--all', 'All your agents')
    .option('--reason <text>', 'Why; the agent is told')
    .action(
      start(async (cli, given, { all, reason }) => {
        if ((given === undefined) !== (all === true)) throw usage('Name an agent, or use --all')
        const client = await cli.client()
        if (given === undefined) {
          const stopped = await client.actor.stopMyAgents.mutate({ reason })
          return cli.out.result(stopped, (agents) =>
            agents.length > 0 ? `Stopped ${names(agents)}.` : 'No agent was running.',
          )
        }
        const actor_id = await fullId(cli, agentsOf(client), given)
        cli.out.result(
          await client.actor.stop.mutate({ actor_id, reason }),
          (stopped) => `Stopped ${names([stopped])}.`,
        )
      }),
    )
}
