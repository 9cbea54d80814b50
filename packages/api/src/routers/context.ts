import {
  asUuid,
  invalid,
  maxEventsWithin,
  maxExcerptLength,
  parseOperators,
  planContext,
  type Viewer,
} from '@collab-spaces/domain'
import { withFileTexts } from '../files/excerpts.js'
import { positionsIn, presentContext } from '../presenters/context.js'
import { procedure, router } from '../procedure/trpc.js'
import { Context, ReadContext } from '../schemas/context.js'
import type { Services } from '../services.js'

/** How many bytes of events can fit into a token. */
const BYTES_A_TOKEN = 8
const MATCHES = 10

export const contextRouter = router({
  get: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'heavy',
      route: 'GET /api/spaces/{space_id}/context',
      tags: ['Context', 'Extensions'],
      summary: "Get a space's state within a budget of tokens",
      description: '`focus` is an event id; `q` as in a search.',
      returns: '`text`, `used`, `budget`, `estimator`, `sections`, `omitted`, `cursor`',
    })
    .input(ReadContext)
    .output(Context)
    .query(async ({ ctx: { caller, services, slot }, input: { space_id, budget, focus, q } }) => {
      const { signal } = slot
      const matches = q === undefined ? null : await matchesOf(services, signal, caller, space_id, q)
      const { readable, material } = await services.database.context(signal, caller, space_id, {
        focus: focus === undefined ? null : asUuid(focus),
        matches,
        maxEvents: maxEventsWithin(budget),
        maxExcerpt: maxExcerptLength(budget),
        maxBytes: budget * BYTES_A_TOKEN,
      })
      const shown = await withFileTexts(services, caller, readable, material, maxExcerptLength(budget))
      const { older, complete } = planContext(shown, budget)
      const summary = older && (await services.summaries.ofRun(readable, slot, older))
      const context = complete(summary)
      const positions = positionsIn(context)
      const ids = await services.database.events.idsAt(readable, positions)
      return presentContext(context, ids)
    }),
})

/** The positions of the newest events that match. Ranking the best ones would take longer than all the rest. */
async function matchesOf(
  { database }: Services,
  signal: AbortSignal,
  viewer: Viewer,
  spaceId: string,
  q: string,
): Promise<number[]> {
  const parsed = parseOperators(q)
  if (parsed.filter?.isDecision || parsed.filter?.in.length) throw invalid('q', 'in: and is:decision are for searches')
  const request = { ...parsed, spaceIds: [spaceId], sort: 'newest' as const, limit: MATCHES }
  return database.matchPositions(signal, viewer, request)
}
