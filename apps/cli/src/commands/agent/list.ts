import type { Actor } from '@collab-spaces/client'
import type { Verb } from '../../command.js'
import { listOfAgents } from '../../show/actor.js'
import { start } from '../../start.js'

export const list: Verb = (agent) => {
  agent
    .command('list')
    .description('List your agents')
    .action(
      start(async (cli) => {
        const client = await cli.client()
        await cli.out.longResult(await client.get<Actor[]>('/api/actors/me/agents'), listOfAgents)
      }),
    )
}
