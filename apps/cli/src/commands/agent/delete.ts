import type { Verb } from '../../command.js'
import { agentsOf } from '../../id/kind.js'
import { withNamed } from '../../id/named.js'

export const deleteAgent: Verb = (agent) => {
  agent
    .command('delete')
    .description('Delete an agent; its events stay')
    .argument('<agent>', 'Agent, by name or ID')
    .option('--yes', 'Skip the confirmation prompt')
    .action(
      withNamed(agentsOf, async (client, cli, actor_id, { yes }) => {
        await cli.prompt.confirm(`Delete ${actor_id}? Its key and its streams end immediately.`, yes)
        cli.out.result(await client.actor.delete.mutate({ actor_id }), () => `Deleted ${actor_id}.`)
      }),
    )
}
