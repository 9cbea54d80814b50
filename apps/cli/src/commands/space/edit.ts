import type { Verb } from '../../command.js'
import { usage } from '../../failure.js'
import { listed } from '../../options/listed.js'
import { oneSpace } from '../../show/space.js'
import { start } from '../../start.js'

export const edit: Verb = (space) => {
  space
    .command('edit')
    .description('Change the description or the links of a space')
    .argument('<space>', 'its id')
    .option('--description <text>', 'what it is for; "" for nothing')
    .option('--link <url>', 'a page that belongs to it, instead of all links it has; may be given again', listed)
    .option('--no-links', 'remove all links')
    .action(
      start(async (cli, space_id, { description, link, links: keepLinks }) => {
        if (link && !keepLinks) throw usage('--link and --no-links exclude each other')
        const links = keepLinks ? link : []
        if (description === undefined && links === undefined) {
          throw usage('There is nothing to change', 'Give --description, --link or --no-links')
        }
        const client = await cli.client()
        cli.out.result(await client.space.change.mutate({ space_id, description, links }), oneSpace)
      }),
    )
}
