import type { Verb } from '../../command.js'
import { start } from '../../start.js'

export const deleteAgent: Verb = (agent) => {
  agent
    .command('delete')
    .description('Delete an agent; what it said stays')
    .argument('<agent>', 'its id')
    .option('--yes', 'do not ask')
    .action(
      start(async (cli, actor_id, { yes }) => {
        const client = await cli.client()
        await cli.prompt.confirm(`Delete ${actor_id}? Its key and its streams end at once.`, yes)
        cli.out.result(await client.actor.delete.mutate({ actor_id }), () => `Deleted ${actor_id}.`)
      }),
    )
}
