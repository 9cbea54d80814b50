import type { Define } from '../../program.js'
import { digest } from '../../show/activity.js'
import { start } from '../../start.js'
import { MOMENTS, moment } from '../moment.js'
import { wholeNumber } from '../number.js'

export const define: Define = (activity) => {
  activity
    .argument('<space>', 'its id')
    .option('--since <time>', `from when on, ${MOMENTS} (default: 1h)`, (given) => moment(given))
    .option('--max <n>', 'at most so many events of each, up to 20 (default: 5)', wholeNumber)
    .action(
      start(async (cli, space_id, { since, max: max_events }) => {
        const client = await cli.client()
        const activity = await client.activity.get.query({ space_id, since, max_events })
        await cli.out.longResult(activity, (activity, style) => digest(activity, style, cli.out.columns))
      }),
    )
}
