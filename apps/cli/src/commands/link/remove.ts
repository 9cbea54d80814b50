import type { Verb } from '../../command.js'
import { linksIn } from '../../id/kind.js'
import { withNamedIn } from '../../id/named.js'

export const remove: Verb = (link) => {
  link
    .command('remove')
    .description('Remove a link')
    .argument('<space>', 'Space ID')
    .argument('<link>', 'Link ID')
    .option('--yes', 'Skip the confirmation prompt')
    .action(
      withNamedIn(linksIn, async (client, cli, space_id, link_id, { yes }) => {
        await cli.prompt.confirm(`Remove link ${link_id} from ${space_id}?`, yes)
        cli.out.result(await client.link.delete.mutate({ space_id, link_id }), () => `Removed ${link_id}.`)
      }),
    )
}
