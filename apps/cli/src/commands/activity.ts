import { PAGES } from '@collab-spaces/client'
import { Option } from '@commander-js/extra-typings'
import type { Define } from '../command.js'
import { MOMENTS, past } from '../options/moment.js'
import { wholeNumber } from '../options/parsers.js'
import { digest } from '../show/activity.js'
import { withClient } from '../start.js'

const { max: MAX, default: DEFAULT } = PAGES.activity

export const define: Define = (activity) => {
  activity
    .argument('<space>', 'Space ID')
    .option('--since <time>', `Start time (default: 1h ago): ${MOMENTS}`, past)
    .addOption(
      new Option('--by <time>', 'Time that counts (default: timestamp)').choices(['timestamp', 'occurred_at'] as const),
    )
    .option('--max <n>', `Maximum number of events per participant, up to ${MAX} (default: ${DEFAULT})`, wholeNumber)
    .action(
      withClient(async (client, cli, space_id, { since, by, max: max_events }) => {
        const activity = await client.activity.get.query({ space_id, since, by, max_events })
        await cli.out.longResult(activity, digest)
      }),
    )
}
