import type { Link } from '@collab-spaces/client'
import type { Verb } from '../../command.js'
import { pathOfSpace, withQuery } from '../../rest-path.js'
import { listOfLinks } from '../../show/link.js'
import { start } from '../../start.js'

export const list: Verb = (link) => {
  link
    .command('list')
    .description('List the links of a space, oldest first')
    .argument('<space>', 'Space ID')
    .option('--type <type>', 'Filter by type')
    .action(
      start(async (cli, space_id, { type: link_type }) => {
        const client = await cli.client()
        const path = withQuery(`${pathOfSpace(space_id)}/links`, { link_type })
        const links = await client.get<Link[]>(path)
        await cli.out.longResult(links, (links, style) => listOfLinks(links, { space_id, link_type }, style))
        await cli.numbers(
          { noun: 'link', space: space_id },
          links.map(({ link_id }) => link_id),
        )
      }),
    )
}
