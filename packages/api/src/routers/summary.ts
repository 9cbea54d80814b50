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
      description: 'It is stored, and written again only if the window has changed.',
    })
    .input(ReadSummary)
    .output(Summary)
    .query(async ({ ctx: { caller, services, slot }, input: { space_id, regenerate, ...input } }) => {
      const space = await requireSpace(services, caller, space_id)
      const window = summaryWindow(input, space.startedAt, databaseClock.now())
      const summary = await services.summaries.read(caller, slot, space_id, window, regenerate)
      return presentSummary(space_id, window, summary)
    }),
})
