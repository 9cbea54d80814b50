import type { RouterOutputs } from '@collab-spaces/client'
import type { Verb } from '../../command.js'
import { start } from '../../start.js'
import { cleanLine } from '../../terminal/clean.js'
import type { Style } from '../../terminal/style.js'
import { fields } from '../../terminal/table.js'
import { relativeTime } from '../../terminal/time.js'

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
        cli.out.result(await client.actor.connect.mutate({ actor_id, installation_id, agent_adapter }), connection)
      }),
    )
}

const connection = (connected: RouterOutputs['actor']['connect'], style: Style) =>
  fields(style, [
    ['agent', style.bold(connected.agent_id)],
    ['status', style.green(connected.status)],
    ['installation', cleanLine(connected.installation_id)],
    ['since', relativeTime(connected.connected_at)],
  ])
