import { PAGES } from '@collab-spaces/client'
import { Option } from '@commander-js/extra-typings'
import type { Define } from '../command.js'
import { wholeNumber } from '../options/parsers.js'
import { listOfFoundDecisions, listOfMatches } from '../show/search.js'
import { withClient } from '../start.js'

const { max: MAX, default: DEFAULT } = PAGES.search

export const define: Define = (search) => {
  search
    .argument('<query...>', 'Words, "a phrase", -excluded, or; operators such as from:ada')
    .addOption(new Option('--space <id>', 'Space to search (default: all you have joined)').conflicts('linkedTo'))
    .option('--linked-to <id>', 'Search a space and the spaces linked to it')
    .option('--limit <n>', `Maximum number of results, up to ${MAX} (default: ${DEFAULT})`, wholeNumber)
    .addOption(new Option('--sort <order>', 'Order of the results (default: newest)').choices(['newest', 'relevance']))
    .addHelpText(
      'after',
      `
Names of files and the texts in them are searched, too.

Operators:
  from:NAME               said by this participant: a name, a word of it, or an ID
  in:SPACE                in this space
  before:DATE after:DATE  2026-11-28, 2026-11, 2026, or a time
  has:file, is:thread     with a file, in a thread
  is:decision             decisions instead of messages

Examples:
  $ spaces search mountains
  $ spaces search mountains from:grace after:2026-10
  $ spaces search '"train to the mountains"' --space plans
  $ spaces search -- mountains -snow`,
    )
    .action(
      withClient(async (client, cli, words, { space: space_id, linkedTo: linked_to, limit, sort }) => {
        const q = words.join(' ')
        if (/(?:^|\s)is:decision(?:\s|$)/i.test(q)) {
          const found = await client.search.decisions.query({ q, space_id, linked_to, limit })
          return cli.out.longResult(found, listOfFoundDecisions)
        }
        const matches = await client.search.events.query({ q, space_id, linked_to, limit, sort })
        await cli.out.longResult(matches, (matches, style) => listOfMatches(matches, { space_id, linked_to }, style))
      }),
    )
}
