import type { Verb } from '../../command.js'
import { start } from '../../start.js'
import { cleanLine } from '../../terminal/clean.js'

export const rotateKey: Verb = (agent) => {
  agent
    .command('rotate-key')
    .description('Replace the key of an agent; prints the new one, this once')
    .argument('<agent>', 'its id')
    .option('--force', 'also when it is connected elsewhere, which locks it out there')
    .option('--installation <id>', 'the place you do this for, which the agent is connected to, or will be by force')
    .option('--yes', 'do not ask')
    .action(
      start(async (cli, actor_id, { force, installation: installation_id, yes }) => {
        const client = await cli.client()
        await cli.prompt.confirm(`Replace the key of ${actor_id}? The old one stops working at once.`, yes)
        const agent = await client.actor.rotateKey.mutate({ actor_id, force, installation_id })
        cli.out.note(`The new key of ${cleanLine(agent.display_name)}, shown this once:`)
        cli.out.result(agent, ({ api_key }) => api_key)
      }),
    )
}
