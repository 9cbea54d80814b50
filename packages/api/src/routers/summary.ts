import { databaseClock } from '@collab-spaces/db'
import { summaryWindow } from '@collab-spaces/domain'
import { presentSummary } from '../presenters/summary.js'
import { procedure, router } from '../procedure/trpc.js'
import { requireSpace } from '../require-space.js'
import { ReadSummary, Summary } from '../schemas/summary.js'

export const summaryRouter = router({
  get: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'heavy',
      route: 'GET /api/spaces/{space_id}/summary',
      tags: ['Summaries'],
      summary: 'Get a summary of a time window, in Markdown',
      description:
        "`start` is by default the space's start, or `end` if that is before it; `end` one hour ago, or `start` if " +
        'that is after it.',
      returns:
        '`summary_id`, `space_id`, `window_start`, `window_end`, `summary_text` (Markdown), `event_count`, `model`, ' +
        '`created_at`',
    })
    .input(ReadSummary)
    .output(Summary)
    .query(async ({ ctx: { caller, services, slot }, input: { space_id, regenerate, language = 'en', ...input } }) => {
      const space = await requireSpace(services, caller, space_id)
      const window = summaryWindow(input, space.startedAt, databaseClock.now())
      const summary = await services.summaries.read(caller, slot, space_id, window, { regenerate, language })
      return presentSummary(space_id, window, summary)
    }),
})
