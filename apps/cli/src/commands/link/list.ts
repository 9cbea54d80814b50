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
        await cli.out.longResult(await client.get<Link[]>(path), (links, style) =>
          listOfLinks(links, { space_id, link_type }, style),
        )
      }),
    )
}
