import type { Verb } from '../../command.js'
import { fullId } from '../../id/full-id.js'
import { agentsOf } from '../../id/kind.js'
import { start } from '../../start.js'
import { cleanLine } from '../../terminal/clean.js'

export const rotateKey: Verb = (agent) => {
  agent
    .command('rotate-key')
    .description('Replace the API key of an agent and print the new one, which is shown once')
    .argument('<agent>', 'Agent, by name or ID')
    .option('--force', 'Replace it even if the agent is connected elsewhere, and lock it out there')
    .option('--installation <id>', 'Your installation, where the agent is connected, or will be with --force')
    .option('--yes', 'Skip the confirmation prompt')
    .action(
      start(async (cli, given, { force, installation: installation_id, yes }) => {
        const client = await cli.client()
        const actor_id = await fullId(cli, agentsOf(client), given)
        await cli.prompt.confirm(`Replace the API key of ${actor_id}? The old one stops working immediately.`, yes)
        const agent = await client.actor.rotateKey.mutate({ actor_id, force, installation_id })
        cli.out.note(`The new API key of ${cleanLine(agent.display_name)}, shown once:`)
        cli.out.result(agent, ({ api_key }) => api_key)
      }),
    )
}
