import type { Define } from '../command.js'
import { fullId } from '../id/full-id.js'
import { eventsIn } from '../id/kind.js'
import { wholeNumber } from '../options/parsers.js'
import { withClient } from '../start.js'
import { counted } from '../terminal/prose.js'

export const define: Define = (context) => {
  context
    .argument('<space>', 'Space ID')
    .option('--budget <tokens>', 'Size in tokens, from 500 to 200,000 (default: 8000)', wholeNumber)
    .option('--focus <event>', 'Include this event and those that it answers')
    .option('--search <query>', 'Include events that match: words, "a phrase", -excluded, or')
    .addHelpText(
      'after',
      `
The text is for a language model. What participants wrote stands between tags in it, with the account that posted it.

Examples:
  $ spaces context plans --budget 2000
  $ spaces context plans --focus last --search mountains
  $ spaces context plans --jq .cursor`,
    )
    .action(
      withClient(async (client, cli, space_id, { budget, focus: given, search }) => {
        const focus = given && (await fullId(cli, eventsIn(client, space_id), given))
        const context = await client.context.get.query({ space_id, budget, focus, q: search })
        // As it is: it is not written for people.
        await cli.out.longResult(context, ({ text }) => text.trimEnd())
        const { events } = context.omitted
        if (events > 0) cli.out.note(`\nLeft out: ${counted(events, 'event')}. To see more: --budget`)
      }),
    )
}
