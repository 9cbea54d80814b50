import { PAGES } from '@collab-spaces/client'
import { Option } from '@commander-js/extra-typings'
import type { Define } from '../command.js'
import { wholeNumber } from '../options/parsers.js'
import { listOfMatches } from '../show/search.js'
import { withClient } from '../start.js'

const { max: MAX, default: DEFAULT } = PAGES.search

export const define: Define = (search) => {
  search
    .argument('<query...>', 'Words, "a phrase", -excluded, or')
    .addOption(new Option('--space <id>', 'Space to search (default: all you have joined)').conflicts('linkedTo'))
    .option('--linked-to <id>', 'Search a space and the spaces linked to it')
    .option('--limit <n>', `Maximum number of results, up to ${MAX} (default: ${DEFAULT})`, wholeNumber)
    .addOption(new Option('--sort <order>', 'Order of the results (default: newest)').choices(['newest', 'relevance']))
    .addHelpText(
      'after',
      `
Examples:
  $ spaces search mountains
  $ spaces search '"train to the mountains"' --space plans
  $ spaces search -- mountains -snow`,
    )
    .action(
      withClient(async (client, cli, words, { space: space_id, linkedTo: linked_to, limit, sort }) => {
        const matches = await client.search.events.query({ q: words.join(' '), space_id, linked_to, limit, sort })
        await cli.out.longResult(matches, (matches, style) => listOfMatches(matches, { space_id, linked_to }, style))
      }),
    )
}
