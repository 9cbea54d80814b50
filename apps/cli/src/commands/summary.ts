import { Option } from '@commander-js/extra-typings'
import type { Define } from '../command.js'
import { MOMENTS, past } from '../options/moment.js'
import { oneSummary } from '../show/summary.js'
import { startUntilInterrupted } from '../start.js'

/** A language model, where the server has one, may take that long. */
const MODEL_MS = 60_000

export const define: Define = (summary) => {
  summary
    .argument('<space>', 'Space ID')
    .option('--from <time>', `Start time (default: the beginning): ${MOMENTS}`, past)
    .option('--to <time>', 'End time (default: 1h ago)', past)
    .option('--regenerate', 'Create a new summary even if nothing has changed')
    .addOption(
      new Option('--language <language>', 'Language of the headings (default: en)').choices([
        'en',
        'de',
        'ar',
      ] as const),
    )
    .addHelpText(
      'after',
      `
Examples:
  $ spaces summary plans --from 1d --to now
  $ spaces summary plans --jq .summary_text`,
    )
    .action(
      startUntilInterrupted(async (cli, signal, space_id, { from, to, regenerate, language }) => {
        const client = await cli.client(MODEL_MS)
        const progress = cli.out.progress()
        progress.show(`Summarizing ${space_id}…`)
        const summary = await client.summary.get
          .query({ space_id, start: from, end: to, regenerate, language }, { signal })
          .finally(() => progress.end())
        await cli.out.longResult(summary, oneSummary)
        if (summary.event_count === 0 && to === undefined) {
          cli.out.note(`\nThe last hour is left out by default. To include it: spaces summary ${space_id} --to now`)
        }
      }),
    )
}
