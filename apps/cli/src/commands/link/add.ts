import { Option } from '@commander-js/extra-typings'
import type { Verb } from '../../command.js'
import { usage } from '../../failure.js'
import { jsonObject } from '../../options/json-object.js'
import { oneLink } from '../../show/link.js'
import { start } from '../../start.js'

export const add: Verb = (link) => {
  link
    .command('add')
    .description('Link a space to another one, or to a page')
    .argument('<space>', 'its id')
    .addOption(new Option('--space <other>', 'another space').conflicts('uri'))
    .option('--uri <url>', 'a page anywhere')
    .option('--type <type>', 'what kind of link it is (default: related)')
    .option('--attributes <json>', 'whatever else there is to say of it: a JSON object', jsonObject)
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
          throw usage('Where to is missing', 'Give --space or --uri')
        }
        const client = await cli.client()
        const link = await client.link.create.mutate({ space_id, target_id, target_uri, link_type, attributes })
        cli.out.result(link, oneLink)
      }),
    )
}
