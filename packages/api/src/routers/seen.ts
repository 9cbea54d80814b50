import { presentSeen } from '../presenters/space.js'
import { procedure, router } from '../procedure/trpc.js'
import { requireSpace } from '../require-space.js'
import { MarkSeen, Seen, UnmarkSeen } from '../schemas/seen.js'

export const seenRouter = router({
  mark: procedure
    .meta({
      caller: 'actor',
      // Callers who may read may say how far they have read, and no limit on what is written counts it.
      scope: 'read',
      cost: 'change',
      route: 'PUT /api/spaces/{space_id}/seen',
      tags: ['Inbox', 'Extensions'],
      summary: "Move the caller's read cursor in a space",
      description: '`event_id` is the last event seen, by default the newest. Needs only `read`.',
      returns: '`{space_id, seen_event_id, unread_count}`',
      idempotent: true,
      example: {},
    })
    .input(MarkSeen)
    .output(Seen)
    .mutation(async ({ ctx: { caller, services }, input: { space_id, event_id = null } }) => {
      const { seen, personal } = services.database
      const { hasMoved, hasSeenAddressed } = await seen.mark(caller, space_id, event_id)
      const { tenantId, actorId, actorType } = caller
      if (hasMoved) services.database.bus.publish({ kind: 'seen', tenantId, actorId, spaceId: space_id })
      // The receipts of humans follow this cursor.
      if (hasSeenAddressed && actorType === 'human') services.longPolls.receiptsChanged({ tenantId, spaceId: space_id })
      const space = await requireSpace(services, caller, space_id)
      return { space_id, ...presentSeen(await personal.of(space, actorId)) }
    }),

  unmark: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'change',
      route: 'PUT /api/spaces/{space_id}/unseen',
      tags: ['Inbox', 'Extensions'],
      summary: "Move the caller's read cursor in a space back",
      description:
        '`event_id` and all later events are unread again, by default the newest of another actor. Done items stay ' +
        'done, and no notification tells of them again. Needs only `read`.',
      returns: '`{space_id, seen_event_id, unread_count}`',
      idempotent: true,
      example: {},
    })
    .input(UnmarkSeen)
    .output(Seen)
    .mutation(async ({ ctx: { caller, services }, input: { space_id, event_id = null } }) => {
      const { seen, personal } = services.database
      const { tenantId, actorId, actorType } = caller
      if (await seen.unmark(caller, space_id, event_id)) {
        services.database.bus.publish({ kind: 'seen', tenantId, actorId, spaceId: space_id })
        if (actorType === 'human') services.longPolls.receiptsChanged({ tenantId, spaceId: space_id })
      }
      const space = await requireSpace(services, caller, space_id)
      return { space_id, ...presentSeen(await personal.of(space, actorId)) }
    }),
})
