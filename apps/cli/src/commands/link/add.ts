import { Option } from '@commander-js/extra-typings'
import type { Verb } from '../../command.js'
import { usage } from '../../failure.js'
import { jsonObject } from '../../options/json-object.js'
import { oneLink } from '../../show/link.js'
import { start } from '../../start.js'

export const add: Verb = (link) => {
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
