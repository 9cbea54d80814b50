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
    .addOption(new Option('--space <other>', 'Space to link to').conflicts('uri'))
    .option('--uri <url>', 'Web page to link to')
    .option('--type <type>', 'Type of the link (default: related)')
    .option('--attributes <json>', 'Attributes, as a JSON object', jsonObject)
    .addHelpText(
      'after',
      `
Examples:
  $ spaces link add plans --space budget --type pays-for
  $ spaces link add plans --uri https://example.org/trains --attributes '{"line": 7}'`,
    )
    .action(
      start(async (cli, space_id, { space: target_id, uri: target_uri, type: link_type, attributes }) => {
        if (target_id === undefined && target_uri === undefined) {
          throw usage('--space or --uri is required')
        }
        const client = await cli.client()
        const link = await client.link.create.mutate({ space_id, target_id, target_uri, link_type, attributes })
        cli.out.result(link, oneLink)
      }),
    )
}
