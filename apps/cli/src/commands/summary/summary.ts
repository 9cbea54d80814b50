import type { Define } from '../../command.js'
import { MOMENTS, past } from '../../options/moment.js'
import { oneSummary } from '../../show/summary.js'
import { start } from '../../start.js'

export const define: Define = (summary) => {
  summary
    .argument('<space>', 'its id')
    .option('--from <time>', `from a moment on: ${MOMENTS} (default: the beginning)`, past)
    .option('--to <time>', 'up to a moment (default: 1h)', past)
    .option('--regenerate', 'make a new one, even if nothing has changed')
    .addHelpText(
      'after',
      `
Examples:
  $ spaces summary plans --from 1d --to now
  $ spaces summary plans --json | jq -r .summary_text`,
    )
    .action(
      start(async (cli, space_id, { from, to, regenerate }) => {
        const client = await cli.client()
        const progress = cli.out.progress()
        progress.show(`Summing up ${space_id} …`)
        const summary = await client.summary.get
          .query({ space_id, start: from, end: to, regenerate })
          .finally(() => progress.end())
        await cli.out.longResult(summary, (summary, style) => oneSummary(summary, style, cli.out.columns))
        if (summary.event_count === 0 && to === undefined) {
          cli.out.note(`\nThe last hour is left out unless you ask for it: spaces summary ${space_id} --to now`)
        }
      }),
    )
}
