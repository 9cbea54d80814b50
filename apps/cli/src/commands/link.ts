import { Option } from '@commander-js/extra-typings'
import { nounWith, type Verb } from '../command.js'
import { usage } from '../failure.js'
import { linksIn } from '../id/kind.js'
import { withNamedIn } from '../id/named.js'
import { jsonObject } from '../options/parsers.js'
import { listOfLinks, oneLink } from '../show/link.js'
import { start, withClient } from '../start.js'

const add: Verb = (link) => {
  link
    .command('add')
    .description('Link a space to another space or to a web page')
    .argument('<space>', 'Space ID')
    .argument('[target]', 'Space or web page to link to')
    .addOption(new Option('--space <other>', 'Space to link to').conflicts('uri'))
    .option('--uri <url>', 'Web page to link to')
    .option('--type <type>', 'Type of the link (default: related)')
    .option('--attributes <json>', 'Attributes, as a JSON object', jsonObject)
    .addHelpText(
      'after',
      `
Examples:
  $ spaces link add plans budget --type pays-for
  $ spaces link add plans --uri https://example.org/trains --attributes '{"line": 7}'`,
    )
    .action(
      start(async (cli, space_id, target, { space, uri, type: link_type, attributes }) => {
        if (target === undefined && space === undefined && uri === undefined) {
          throw usage('A space or a web page to link to is required')
        }
        if (target !== undefined && (space ?? uri) !== undefined) throw usage('There can be one target only')
        const isPage = target?.includes('://')
        const [target_id, target_uri] = [isPage ? space : (target ?? space), isPage ? target : uri]
        const client = await cli.client()
        const link = await client.link.create.mutate({ space_id, target_id, target_uri, link_type, attributes })
        cli.out.result(link, oneLink)
      }),
    )
}

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

export const define = nounWith(add, list, remove)
