import type { SpaceChange, SpaceRecord } from '@collab-spaces/db'
import { nextSpaceStatus, type Scope, type SpaceStatus as Status, spaceTaken, unknown } from '@collab-spaces/domain'
import { z } from 'zod'
import { presentSpace, presentSpaceStatus } from '../presenters/space.js'
import { Rendered } from '../procedure/output.js'
import { procedure, router } from '../procedure/trpc.js'
import { ChangeSpace, CreatedSpace, CreateSpace, ListSpaces, Space, SpaceId, SpaceStatus } from '../schemas/space.js'
import type { Services } from '../services.js'

/** The status view of a space that was found, or is being looked for; 404 for none. */
async function statusView(
  { database }: Services,
  scope: Scope,
  spaceId: string,
  found: SpaceRecord | null | Promise<SpaceRecord | null>,
) {
  const [space, participants] = await Promise.all([found, database.participants.list(scope, spaceId)])
  if (!space) throw unknown('Space')
  return presentSpaceStatus(space, participants)
}

/** The move to `wanted`, or no move, under the rules; the end of a space is recorded when it is archived. */
function move(space: SpaceRecord, wanted: Status | undefined): Pick<SpaceChange, 'status' | 'endedAt'> {
  const status = nextSpaceStatus(space.status, wanted)
  return status === 'archived' ? { status, endedAt: new Date() } : { status }
}

export const spaceRouter = router({
  list: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      openapi: {
        method: 'GET',
        path: '/api/spaces',
        tags: ['Spaces'],
        summary: 'List the spaces of the tenant, newest first',
      },
    })
    .input(ListSpaces)
    .output(z.array(Space))
    .query(async ({ ctx: { caller, services }, input }) => {
      const spaces = await services.database.spaces.list(caller.scope, { ...input, spaceIds: caller.limits.spaceIds })
      return Rendered.list(spaces, presentSpace)
    }),

  create: procedure
    .meta({
      caller: 'actor',
      scope: 'write',
      body: 'most',
      openapi: {
        method: 'POST',
        path: '/api/spaces',
        tags: ['Spaces'],
        summary: 'Create a space',
        errorResponses: [409],
      },
    })
    .input(CreateSpace)
    .output(CreatedSpace)
    .mutation(async ({ ctx: { caller, services }, input: { space_id, description = '', links = [] } }) => {
      const space = {
        spaceId: space_id,
        description,
        links,
        status: 'active' as const,
        startedAt: new Date(),
        createdBy: caller.actorId,
      }
      const quota = services.quotas.of(caller.scope, 'spaces')
      const created = await services.database.spaces.create(caller, space, quota)
      if (!created) throw spaceTaken()
      return { space_id, status: { status: 'active' } }
    }),

  status: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      openapi: {
        method: 'GET',
        path: '/api/spaces/{space_id}/status',
        tags: ['Spaces'],
        summary: 'Get a space with its participants and counts',
        errorResponses: [404],
      },
    })
    .input(SpaceId)
    .output(SpaceStatus)
    .query(async ({ ctx: { caller, services }, input: { space_id } }) =>
      statusView(services, caller.scope, space_id, services.database.spaces.find(caller.scope, space_id)),
    ),

  change: procedure
    .meta({
      caller: 'actor',
      scope: 'manage',
      body: 'most',
      openapi: {
        method: 'PATCH',
        path: '/api/spaces/{space_id}',
        tags: ['Spaces'],
        summary: 'Change the description, the links or the status',
        errorResponses: [404, 409],
      },
    })
    .input(ChangeSpace)
    .output(SpaceStatus)
    .mutation(async ({ ctx: { caller, services }, input: { space_id, description, links, status } }) => {
      const space = await services.database.spaces.change(caller, space_id, (space) => ({
        ...move(space, status),
        ...(description !== undefined && { description }),
        ...(links !== undefined && { links }),
      }))
      return statusView(services, caller.scope, space_id, space)
    }),

  archive: procedure
    .meta({
      caller: 'actor',
      scope: 'manage',
      alwaysWorks: true,
      openapi: {
        method: 'POST',
        path: '/api/spaces/{space_id}/archive',
        tags: ['Spaces'],
        summary: 'Archive a space permanently; its history stays readable',
        errorResponses: [404, 409],
      },
    })
    .input(SpaceId)
    .output(SpaceStatus)
    .mutation(async ({ ctx: { caller, services }, input: { space_id } }) => {
      const space = await services.database.spaces.change(caller, space_id, (space) => move(space, 'archived'))
      return statusView(services, caller.scope, space_id, space)
    }),
})
