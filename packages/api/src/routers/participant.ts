import { databaseClock } from '@collab-spaces/db'
import { isTakeover, requireCanAdd, requireCanGovern, requireJoinable, unknown } from '@collab-spaces/domain'
import { z } from 'zod'
import { presentParticipant } from '../presenters/space.js'
import { RenderedOutput } from '../procedure/output.js'
import { procedure, router } from '../procedure/trpc.js'
import { requireSpace } from '../require-space.js'
import { Done } from '../schemas/actor.js'
import { AddParticipant, JoinSpace, Participant, ParticipantId } from '../schemas/participant.js'
import { SpaceId } from '../schemas/space.js'

export const participantRouter = router({
  list: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'row',
      route: 'GET /api/spaces/{space_id}/participants',
      tags: ['Participants'],
      summary: 'List the participants of a space, in the order of joining',
      returns: 'participants, by `joined_at`',
    })
    .input(SpaceId)
    .output(z.array(Participant))
    .query(async ({ ctx: { caller, services }, input: { space_id } }) => {
      const space = await requireSpace(services, caller, space_id)
      return RenderedOutput.list(await services.database.participants.list(space, caller.actorId), presentParticipant)
    }),

  join: procedure
    .meta({
      caller: 'actor',
      scope: 'write',
      cost: 'change',
      route: 'POST /api/spaces/{space_id}/join',
      tags: ['Participants'],
      summary: 'Join a space',
      description:
        '`agent_adapter` names how an agent is connected, such as `mcp`. Joining again replaces only that. Archived: ' +
        '409.',
      returns: 'participant',
      errors: [409],
      idempotent: true,
      example: {},
      ignored: ['participant_id', 'name', 'participant_type'],
    })
    .input(JoinSpace)
    .output(Participant)
    .mutation(async ({ ctx: { caller, services }, input: { space_id, agent_adapter } }) => {
      const joined = await services.database.participants.join(
        caller,
        space_id,
        { agentAdapter: agent_adapter ?? null, joinedAt: databaseClock.now() },
        (space) => requireJoinable(space.status),
      )
      return presentParticipant(joined)
    }),

  leave: procedure
    .meta({
      caller: 'actor',
      scope: 'write',
      cost: 'change',
      alwaysWorks: true,
      route: 'POST /api/spaces/{space_id}/leave',
      tags: ['Participants', 'Extensions'],
      summary: 'Leave a space',
      description: 'In any status, any number of times.',
      idempotent: true,
    })
    .input(SpaceId)
    .output(Done)
    .mutation(async ({ ctx: { caller, services }, input: { space_id } }) => {
      const space = await requireSpace(services, caller, space_id)
      await services.database.participants.leave(caller, space)
      services.revocations.announce()
      return { ok: true }
    }),

  add: procedure
    .meta({
      caller: 'actor',
      scope: 'manage',
      cost: 'change',
      route: 'POST /api/spaces/{space_id}/participants',
      tags: ['Participants', 'Extensions'],
      summary: 'Add an actor to a space, or set its role',
      description:
        'For owners. An actor of the tenant; `role` is `member`, or of humans `owner`; without it, an owner stays one.',
      returns: 'participant',
      errors: [409],
      example: { actor_id: 'the actor_id of a member', role: 'member' },
    })
    .input(AddParticipant)
    .output(Participant)
    .mutation(async ({ ctx: { caller, services }, input: { space_id, actor_id, role } }) => {
      requireCanAdd(caller)
      const added = { actorId: actor_id, role }
      const { participants } = services.database
      const participant = await participants.add(caller, space_id, added, databaseClock.now(), (space, by) => {
        requireCanGovern(by, space.owners)
        // An admin who takes over can restore it.
        if (!isTakeover(by, added)) requireJoinable(space.status)
      })
      services.longPolls.inboxGrew({ tenantId: caller.tenantId, actorId: actor_id })
      return presentParticipant(participant)
    }),

  remove: procedure
    .meta({
      caller: 'actor',
      scope: 'write',
      cost: 'change',
      alwaysWorks: true,
      route: 'DELETE /api/spaces/{space_id}/participants/{actor_id}',
      tags: ['Participants', 'Extensions'],
      summary: 'Remove an actor from a space, with the agents it sponsors there',
      description: 'For owners, the actor itself, and its sponsor. Not in it: 404.',
      errors: [409],
    })
    .input(ParticipantId)
    .output(Done)
    .mutation(async ({ ctx: { caller, services }, input: { space_id, actor_id } }) => {
      await requireSpace(services, caller, space_id)
      const isRemoved = await services.database.participants.remove(caller, space_id, actor_id)
      if (!isRemoved) throw unknown('Actor')
      services.revocations.announce()
      return { ok: true }
    }),
})
