import { type ActRecord, databaseClock, type OwnedSpace, type SpaceChange, type SpaceRecord } from '@collab-spaces/db'
import {
  isConversation,
  LIMITS,
  nextSpaceStatus,
  PAGES,
  type ReadableSpace,
  requireCanCreateSpace,
  requireCanGovern,
  requireCanUnarchive,
  requireChangeable,
  type SpaceStatus as Status,
  spaceTaken,
  unknown,
  type Viewer,
} from '@collab-spaces/domain'
import { z } from 'zod'
import { listSpaces } from '../list-spaces.js'
import { presentSpaceStatus } from '../presenters/space.js'
import { RenderedOutput } from '../procedure/output.js'
import { procedure, router } from '../procedure/trpc.js'
import { requireSpace } from '../require-space.js'
import { ListActs, SpaceAct } from '../schemas/act.js'
import { ChangeSpace, CreatedSpace, CreateSpace, ListSpaces, Space, SpaceId, SpaceStatus } from '../schemas/space.js'
import type { Services } from '../services.js'

/** The status view of a space that was found for a caller; 404 for none. */
async function statusView({ database }: Services, viewer: Viewer, space: (OwnedSpace & ReadableSpace) | null) {
  if (!space) throw unknown('Space')
  const [personal, participants] = await Promise.all([
    database.personal.of(space, viewer.actorId),
    database.participants.list(space, viewer.actorId),
  ])
  return presentSpaceStatus(space, personal, participants)
}

/** The move to `wanted`, or no move, under the rules; the end of a space is recorded when it is archived. */
function move(space: SpaceRecord, wanted: Status | undefined): Pick<SpaceChange, 'status' | 'endedAt'> {
  const status = nextSpaceStatus(space.status, wanted)
  return status === 'archived' ? { status, endedAt: databaseClock.now() } : { status }
}

export const spaceRouter = router({
  list: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'row',
      route: 'GET /api/spaces',
      tags: ['Spaces'],
      summary: 'List the spaces of the tenant, newest first',
      returns: 'spaces, newest first: all without `limit`',
    })
    .input(ListSpaces)
    .output(z.array(Space))
    .query(({ ctx: { caller, services }, input }) => listSpaces(services, caller, input, { isJoined: false })),

  create: procedure
    .meta({
      caller: 'actor',
      scope: 'write',
      cost: 'change',
      body: 'most',
      route: 'POST /api/spaces',
      tags: ['Spaces'],
      summary: 'Create a space',
      description:
        '`links` are absolute URLs; `visibility` is by default `open`. Taken: 409. The caller joins only a private ' +
        'space.',
      returns: '`{space_id, status: {status: "active"}}`',
      errors: [409],
      example: { space_id: 'plans', title: 'Summer plans', description: 'Where to go next' },
    })
    .input(CreateSpace)
    .output(CreatedSpace)
    .mutation(
      async ({
        ctx: { caller, services },
        input: { space_id, title, description = '', links = [], visibility = 'open' },
      }) => {
        requireCanCreateSpace(caller)
        // Only its participants may learn whether a conversation exists.
        if (isConversation(space_id)) throw spaceTaken()
        const space = {
          spaceId: space_id,
          title: title || null,
          description,
          links,
          status: 'active' as const,
          visibility,
          startedAt: databaseClock.now(),
          createdBy: caller.actorId,
        }
        const quota = services.quotas.of(caller.tenantId, 'spaces')
        await services.database.spaces.create(caller, space, quota)
        return { space_id, status: { status: 'active' } }
      },
    ),

  status: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'row',
      route: 'GET /api/spaces/{space_id}/status',
      tags: ['Spaces'],
      summary: 'Get a space with its participants and counts',
      returns: 'status view',
    })
    .input(SpaceId)
    .output(SpaceStatus)
    .query(async ({ ctx: { caller, services }, input: { space_id } }) =>
      statusView(services, caller, await services.database.spaces.findOwned(caller, space_id)),
    ),

  change: procedure
    .meta({
      caller: 'actor',
      scope: 'manage',
      cost: 'change',
      body: 'most',
      route: 'PATCH /api/spaces/{space_id}',
      tags: ['Spaces'],
      summary: 'Change the title, description, links, visibility, status or owners',
      description:
        'For owners. An empty `title` removes it; `links` and `owners` each replace all. Archived: 409 `Space is ' +
        'archived`.',
      returns: 'status view',
      errors: [409],
      example: { description: 'Where to go in spring' },
    })
    .input(ChangeSpace)
    .output(SpaceStatus)
    .mutation(async ({ ctx: { caller, services }, input: { space_id, ...wanted } }) => {
      const { title, description, links, visibility, status, owners } = wanted
      const space = await services.database.spaces.change(caller, space_id, (space, by) => {
        requireCanGovern(by, space.owners)
        requireChangeable(space_id, wanted)
        return {
          ...move(space, status),
          ...(title !== undefined && { title: title || null }),
          ...(description !== undefined && { description }),
          ...(links !== undefined && { links }),
          ...(visibility !== undefined && { visibility }),
          ...(owners !== undefined && { owners }),
        }
      })
      if (visibility !== undefined) services.revocations.announce()
      return statusView(services, caller, space)
    }),

  archive: procedure
    .meta({
      caller: 'actor',
      scope: 'manage',
      cost: 'change',
      alwaysWorks: true,
      route: 'POST /api/spaces/{space_id}/archive',
      tags: ['Spaces'],
      summary: 'Archive a space; its history stays readable',
      description: 'For owners. An archived space stays as it is.',
      returns: 'status view',
      errors: [409],
    })
    .input(SpaceId)
    .output(SpaceStatus)
    .mutation(async ({ ctx: { caller, services }, input: { space_id } }) => {
      const space = await services.database.spaces.change(caller, space_id, (space, by) => {
        requireCanGovern(by, space.owners)
        return move(space, 'archived')
      })
      return statusView(services, caller, space)
    }),

  unarchive: procedure
    .meta({
      caller: 'actor',
      scope: 'manage',
      cost: 'change',
      route: 'POST /api/spaces/{space_id}/unarchive',
      tags: ['Spaces', 'Extensions'],
      summary: 'Reactivate an archived space',
      description: `For owners, within ${LIMITS.unarchiveDays} days of \`ended_at\`, a conversation at any time; otherwise 409.`,
      returns: 'status view',
      errors: [409],
    })
    .input(SpaceId)
    .output(SpaceStatus)
    .mutation(async ({ ctx: { caller, services }, input: { space_id } }) => {
      const space = await services.database.spaces.change(caller, space_id, (space, by) => {
        requireCanGovern(by, space.owners)
        requireCanUnarchive(space, databaseClock.now())
        return { status: 'active', endedAt: null }
      })
      return statusView(services, caller, space)
    }),

  acts: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'row',
      route: 'GET /api/spaces/{space_id}/acts',
      tags: ['Spaces', 'Extensions'],
      summary: 'List the acts about a space, in order',
      description:
        '`about` is `space` or `decisions`, by default both. `since` and `before` are positions, `start` a time.',
      returns: '[acts](#decisions)',
    })
    .input(ListActs)
    .output(z.array(SpaceAct))
    .query(async ({ ctx: { caller, services }, input: { space_id, tail, limit, ...wanted } }) => {
      const space = await requireSpace(services, caller, space_id)
      const isFromEnd = tail || wanted.before !== undefined
      const acts = await services.database.acts.list(space, {
        ...wanted,
        isFromEnd,
        limit: limit ?? (isFromEnd ? PAGES.acts.default : undefined),
      })
      return RenderedOutput.texts<ActRecord, z.infer<typeof SpaceAct>>(acts, ({ wire }) => wire)
    }),
})
