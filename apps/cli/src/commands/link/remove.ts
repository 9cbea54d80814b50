import type { Verb } from '../../command.js'
import { start } from '../../start.js'

export const remove: Verb = (link) => {
  link
    .command('remove')
    .description('Remove a link')
    .argument('<space>', 'its id')
    .argument('<link>', 'its id')
    .option('--yes', 'do not ask')
    .action(
      start(async (cli, space_id, link_id, { yes }) => {
        const client = await cli.client()
        await cli.prompt.confirm(`Remove the link ${link_id} of ${space_id}?`, yes)
        cli.out.result(await client.link.delete.mutate({ space_id, link_id }), () => `Removed ${link_id}.`)
      }),
    )
}
