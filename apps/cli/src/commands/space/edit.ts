import type { Verb } from '../../command.js'
import { usage } from '../../failure.js'
import { listed } from '../../options/listed.js'
import { oneSpace } from '../../show/space.js'
import { start } from '../../start.js'

export const edit: Verb = (space) => {
  space
    .command('edit')
    .description('Change the description or the web pages of a space')
    .argument('<space>', 'Space ID')
    .option('--description <text>', 'New description; "" removes it')
    .option('--link <url>', 'Web page about the space, instead of all current ones (repeatable)', listed)
    .option('--no-links', 'Remove all web pages')
    .action(
      start(async (cli, space_id, { description, link, links: keepLinks }) => {
        if (link && !keepLinks) throw usage('--link and --no-links cannot be used together')
        const links = keepLinks ? link : []
        if (description === undefined && links === undefined) {
          throw usage('Nothing to change', 'Use --description, --link or --no-links')
        }
        const client = await cli.client()
        cli.out.result(await client.space.change.mutate({ space_id, description, links }), oneSpace)
      }),
    )
}
