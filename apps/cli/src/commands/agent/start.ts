import type { Actor } from '@collab-spaces/client'
import type { Verb } from '../../command.js'
import { usage } from '../../failure.js'
import { fullId } from '../../id/full-id.js'
import { agentsOf } from '../../id/kind.js'
import { names } from '../../show/actor.js'
import { start } from '../../start.js'

export const startAgent: Verb = (agent) => {
  agent
    .command('start')
    .description('Start an agent that was stopped')
    .argument('[agent]', 'Agent, by name or ID')
    .option('--all', 'All your agents that are stopped')
    .action(
      start(async (cli, given, { all }) => {
        if ((given === undefined) !== (all === true)) throw usage('Name an agent, or use --all')
        const client = await cli.client()
        if (given !== undefined) {
          const actor_id = await fullId(cli, agentsOf(client), given)
          return cli.out.result(
            await client.actor.start.mutate({ actor_id }),
            (started) => `Started ${names([started])}.`,
          )
        }
        const started: Actor[] = []
        for (const { actor_id, stopped } of await client.rest('actor.myAgents', {})) {
          if (stopped) started.push(await client.actor.start.mutate({ actor_id }))
        }
        cli.out.result(started, (agents) => (agents.length > 0 ? `Started ${names(agents)}.` : 'No agent was stopped.'))
      }),
    )
}
