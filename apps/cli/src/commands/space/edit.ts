import type { Verb } from '../../command.js'
import { actorsIn } from '../../event/participant.js'
import { requireChange, usage } from '../../failure.js'
import { listed } from '../../options/parsers.js'
import { oneSpace } from '../../show/space.js'
import { start } from '../../start.js'

export const edit: Verb = (space) => {
  space
    .command('edit')
    .description('Change the title, the description, the web pages, the visibility or the owners of a space')
    .argument('<space>', 'Space ID')
    .option('--title <text>', 'What people call it; "" removes the title')
    .option('--description <text>', 'New description; "" removes it')
    .option('--link <url>', 'Web page about the space, instead of all current ones (repeatable)', listed)
    .option('--no-links', 'Remove all web pages')
    .option('--private', 'Only those who are in it see it')
    .option('--open', 'All members of the tenant see it')
    .option(
      '--owner <human>',
      'Who owns it, instead of all current owners: a participant by name, or an ID (repeatable)',
      listed,
    )
    .action(
      start(async (cli, space_id, { title, description, link, links: keepLinks, private: isPrivate, open, owner }) => {
        if (link && !keepLinks) throw usage('--link and --no-links cannot be used together')
        if (isPrivate && open) throw usage('--private and --open cannot be used together')
        const visibility = isPrivate ? ('private' as const) : open ? ('open' as const) : undefined
        const links = keepLinks ? link : []
        const wanted = { title, description, links, visibility }
        const options = '--title, --description, --link, --no-links, --private, --open or --owner'
        requireChange({ ...wanted, owner }, options)
        const client = await cli.client()
        const owners = owner && (await actorsIn(client, space_id, owner))
        cli.out.result(await client.space.change.mutate({ space_id, ...wanted, owners }), oneSpace)
      }),
    )
}
