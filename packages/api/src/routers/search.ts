import type { SearchRequest } from '@collab-spaces/db'
import { opensSpace, parseSearch, requireSpaceOpened } from '@collab-spaces/domain'
import { z } from 'zod'
import { presentMatch } from '../presenters/search.js'
import type { Caller } from '../procedure/credential.js'
import { Rendered } from '../procedure/output.js'
import { procedure, router } from '../procedure/trpc.js'
import { requireSpace } from '../require-space.js'
import { Match, Search } from '../schemas/search.js'
import type { Services } from '../services.js'

type Asked = z.output<typeof Search>

/** The spaces that a search covers: of those it asks for, what the caller's credential opens. */
async function spacesAsked(services: Services, caller: Caller, asked: Asked): Promise<SpaceIds> {
  const spaceIds = await spacesOf(services, caller, asked)
  return 'joinedBy' in spaceIds ? spaceIds : spaceIds.filter((spaceId) => opensSpace(caller.limits, spaceId))
}

type SpaceIds = SearchRequest['spaceIds']

async function spacesOf(
  services: Services,
  { scope, actorId, limits }: Caller,
  { space_id, linked_to }: Asked,
): Promise<SpaceIds> {
  const spaceId = space_id ?? linked_to
  if (spaceId === undefined) {
    return limits.spaceIds === null ? { joinedBy: actorId } : services.database.spaces.joinedBy(scope, actorId)
  }
  requireSpaceOpened(limits, spaceId)
  await requireSpace(services, scope, spaceId)
  return linked_to === undefined
    ? [spaceId]
    : [spaceId, ...(await services.database.links.neighboursOf(scope, spaceId))]
}

export const searchRouter = router({
  events: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'heavy',
      openapi: {
        method: 'GET',
        path: '/api/search',
        tags: ['Search'],
        summary: 'Full-text search over events',
        description:
          'Searches one space, or a space and those linked to it, or all spaces the caller has joined. ' +
          'Newest first, or most relevant first with `sort=relevance`.',
        errorResponses: [404],
      },
    })
    .input(Search)
    .output(z.array(Match))
    .query(async ({ ctx: { caller, services, slot }, input }) => {
      const query = parseSearch(input.q)
      const spaceIds = await spacesAsked(services, caller, input)
      const matches = await services.database.search(slot.signal, caller.scope, {
        query,
        spaceIds,
        sort: input.sort ?? 'newest',
        limit: input.limit,
      })
      return Rendered.list(matches, (match) => presentMatch(match, query))
    }),
})
