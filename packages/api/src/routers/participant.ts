import { requireJoinable, unknown } from '@collab-spaces/domain'
import { z } from 'zod'
import { presentParticipant } from '../presenters/participant.js'
import { Rendered } from '../procedure/output.js'
import { procedure, router } from '../procedure/trpc.js'
import { requireSpace } from '../require-space.js'
import { Done } from '../schemas/actor.js'
import { JoinSpace, Participant } from '../schemas/participant.js'
import { SpaceId } from '../schemas/space.js'

export const participantRouter = router({
  list: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'row',
      openapi: {
        method: 'GET',
        path: '/api/spaces/{space_id}/participants',
        tags: ['Participants'],
        summary: 'List the participants of a space, in the order of joining',
        errorResponses: [404],
      },
    })
    .input(SpaceId)
    .output(z.array(Participant))
    .query(async ({ ctx: { caller, services }, input: { space_id } }) => {
      await requireSpace(services, caller.scope, space_id)
      return Rendered.list(await services.database.participants.list(caller.scope, space_id), presentParticipant)
    }),

  join: procedure
    .meta({
      caller: 'actor',
      scope: 'write',
      cost: 'change',
      openapi: {
        method: 'POST',
        path: '/api/spaces/{space_id}/join',
        tags: ['Participants'],
        summary: 'Join a space as the authenticated actor',
        errorResponses: [404, 409],
      },
      idempotent: true,
      example: {},
    })
    .input(JoinSpace)
    .output(Participant)
    .mutation(async ({ ctx: { caller, services }, input: { space_id, agent_adapter } }) => {
      const joined = await services.database.participants.join(
        caller,
        space_id,
        { agentAdapter: agent_adapter ?? null, joinedAt: new Date() },
        (space) => requireJoinable(space.status),
      )
      if (!joined) throw unknown('Space')
      return presentParticipant(joined)
    }),

  leave: procedure
    .meta({
      caller: 'actor',
      scope: 'write',
      cost: 'change',
      alwaysWorks: true,
      openapi: {
        method: 'POST',
        path: '/api/spaces/{space_id}/leave',
        tags: ['Participants', 'Extensions'],
        summary: 'Leave a space as the authenticated actor',
        description: 'What the actor said there stays. Leaving a space that it has not joined changes nothing.',
        errorResponses: [404],
      },
      idempotent: true,
    })
    .input(SpaceId)
    .output(Done)
    .mutation(async ({ ctx: { caller, services }, input: { space_id } }) => {
      await requireSpace(services, caller.scope, space_id)
      await services.database.participants.leave(caller, space_id)
      return { ok: true }
    }),
})
