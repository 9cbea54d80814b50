import { Option } from '@commander-js/extra-typings'
import type { Define } from '../../command.js'
import { wholeNumber } from '../../options/whole-number.js'
import { listOfMatches } from '../../show/search.js'
import { start } from '../../start.js'

export const define: Define = (search) => {
  search
    .argument('<query...>', 'words, "a phrase", -not, or')
    .addOption(new Option('--space <id>', 'only this space; without it all that you have joined').conflicts('linkedTo'))
    .option('--linked-to <id>', 'a space and those that are linked to it')
    .option('--limit <n>', 'at most so many, up to 100 (default: 20)', wholeNumber)
    .addOption(new Option('--sort <order>', 'the newest first, or the best').choices(['newest', 'relevance']))
    .addHelpText(
      'after',
      `
Examples:
  $ spaces search mountains
  $ spaces search '"train to the mountains"' --space plans
  $ spaces search -- mountains -snow`,
    )
    .action(
      start(async (cli, words, { space: space_id, linkedTo: linked_to, limit, sort }) => {
        const client = await cli.client()
        const matches = await client.search.events.query({ q: words.join(' '), space_id, linked_to, limit, sort })
        await cli.out.longResult(matches, (matches, style) => listOfMatches(matches, style, cli.out.columns))
      }),
    )
}
