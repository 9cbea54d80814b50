import type { Verb } from '../../command.js'
import { fullId } from '../../id/full-id.js'
import { linksIn } from '../../id/kind.js'
import { withClient } from '../../start.js'

export const remove: Verb = (link) => {
  link
    .command('remove')
    .description('Remove a link')
    .argument('<space>', 'Space ID')
    .argument('<link>', 'Link ID')
    .option('--yes', 'Skip the confirmation prompt')
    .action(
      withClient(async (client, cli, space_id, given, { yes }) => {
        const link_id = await fullId(cli, linksIn(client, space_id), given)
        await cli.prompt.confirm(`Remove link ${link_id} from ${space_id}?`, yes)
        cli.out.result(await client.link.delete.mutate({ space_id, link_id }), () => `Removed ${link_id}.`)
      }),
    )
}
