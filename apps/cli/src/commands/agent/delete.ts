import type { Verb } from '../../command.js'
import { start } from '../../start.js'

export const deleteAgent: Verb = (agent) => {
  agent
    .command('delete')
    .description('Delete an agent; its events stay')
    .argument('<agent>', 'Agent ID')
    .option('--yes', 'Skip the confirmation prompt')
    .action(
      start(async (cli, actor_id, { yes }) => {
        const client = await cli.client()
        await cli.prompt.confirm(`Delete ${actor_id}? Its key and its streams end immediately.`, yes)
        cli.out.result(await client.actor.delete.mutate({ actor_id }), () => `Deleted ${actor_id}.`)
      }),
    )
}
