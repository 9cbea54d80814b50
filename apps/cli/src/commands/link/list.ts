import type { Verb } from '../../command.js'
import { listOfLinks } from '../../show/link.js'
import { withClient } from '../../start.js'

export const list: Verb = (link) => {
  link
    .command('list')
    .description('List the links of a space, oldest first')
    .argument('<space>', 'Space ID')
    .option('--type <type>', 'Filter by type')
    .action(
      withClient(async (client, cli, space_id, { type: link_type }) => {
        const links = await client.rest('link.list', { space_id, link_type })
        await cli.out.longResult(links, (links, style) => listOfLinks(links, { space_id, link_type }, style))
        await cli.numbers({ noun: 'link', space: space_id }, links, ({ link_id }) => link_id)
      }),
    )
}
