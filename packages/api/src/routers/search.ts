import type { SearchMatch, SearchRequest } from '@collab-spaces/db'
import { invalid, parseOperators, type SearchFilter } from '@collab-spaces/domain'
import { z } from 'zod'
import { presentDecisionMatch, renderMatch } from '../presenters/search.js'
import type { Caller } from '../procedure/credential.js'
import { RenderedOutput } from '../procedure/output.js'
import { procedure, router } from '../procedure/trpc.js'
import { requireSpace } from '../require-space.js'
import { DecisionMatch, Match, Search, SearchDecisions } from '../schemas/search.js'
import type { Services } from '../services.js'

type RequestedSpaces = Pick<z.output<typeof Search>, 'space_id' | 'linked_to'>

/** The spaces that a search asks for. Those of its text take precedence. */
async function spacesAsked(
  services: Services,
  caller: Caller,
  { space_id, linked_to }: RequestedSpaces,
  filter: SearchFilter | null,
): Promise<SearchRequest['spaceIds']> {
  if (filter && filter.in.length > 0) {
    for (const spaceId of filter.in) await requireSpace(services, caller, spaceId)
    return filter.in
  }
  const spaceId = space_id ?? linked_to
  if (spaceId === undefined) return 'joined'
  const space = await requireSpace(services, caller, spaceId)
  return linked_to === undefined ? [spaceId] : [spaceId, ...(await services.database.links.neighboursOf(caller, space))]
}

export const searchRouter = router({
  events: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'heavy',
      route: 'GET /api/search',
      tags: ['Search'],
      summary: 'Search events',
      description:
        'In `space_id`, or `linked_to` (that space and those linked to it, either way), else all spaces the caller ' +
        'has joined; `sort` is `newest` by default, or `relevance`. `q` may have operators: `from:` a name or id, `in:` a ' +
        'space, `before:` and `after:` a date, `has:file`, `is:thread`.',
      returns:
        'events with `rank`, `snippet` (plain text, matches between `«` and `»`) and, if a file matches and the text ' +
        'does not, `matched_file`: `{file_id, name, snippet}`',
      errors: [404],
    })
    .input(Search)
    .output(z.array(Match))
    .query(async ({ ctx: { caller, services, slot }, input }) => {
      const { query, filter } = parseOperators(input.q)
      if (filter?.isDecision) throw invalid('q', 'is:decision is for GET /api/search/decisions')
      const spaceIds = await spacesAsked(services, caller, input, filter)
      const matches = await services.database.search(slot.signal, caller, {
        query,
        filter,
        spaceIds,
        sort: input.sort ?? 'newest',
        limit: input.limit,
      })
      return RenderedOutput.texts<SearchMatch, Match>(matches, (match) => renderMatch(match, query))
    }),

  decisions: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'heavy',
      route: 'GET /api/search/decisions',
      tags: ['Search', 'Extensions'],
      summary: 'Search decisions by parts of words',
      description: 'In the same spaces as events, with the same operators; `from:` is the proposer.',
      returns:
        'decisions without approvals and assignees, open ones first, then the newest, with the first 1,000 ' +
        'characters of their texts',
      errors: [404],
    })
    .input(SearchDecisions)
    .output(z.array(DecisionMatch))
    .query(async ({ ctx: { caller, services, slot }, input }) => {
      const { query, filter } = parseOperators(input.q)
      const spaceIds = await spacesAsked(services, caller, input, filter)
      const { searchDecisions } = services.database
      const found = await searchDecisions(slot.signal, caller, { query, filter, spaceIds, limit: input.limit })
      return found.map(presentDecisionMatch)
    }),
})
