import { requireJoinable, unauthenticated, unknown } from '@collab-spaces/domain'
import { z } from 'zod'
import { presentParticipant } from '../presenters/participant.js'
import { actorProcedure, returns, router } from '../procedure/trpc.js'
import { requireSpace } from '../require-space.js'
import { JoinSpace, Participant } from '../schemas/participant.js'
import { SpaceId } from '../schemas/space.js'

export const participantRouter = router({
  list: actorProcedure
    .meta({
      method: 'GET',
      path: '/api/spaces/{space_id}/participants',
      tag: 'Participants',
      summary: 'Who has joined a space, in the order of joining',
      errors: [404],
    })
    .input(SpaceId)
    .output(returns(z.array(Participant)))
    .query(async ({ ctx: { caller, services }, input: { space_id } }) => {
      await requireSpace(services, caller.scope, space_id)
      return (await services.database.participants.list(caller.scope, space_id)).map(presentParticipant)
    }),

  join: actorProcedure
    .meta({
      method: 'POST',
      path: '/api/spaces/{space_id}/join',
      tag: 'Participants',
      summary: 'Join a space as the authenticated actor',
      errors: [404, 409],
    })
    .input(JoinSpace)
    .output(returns(Participant))
    .mutation(async ({ ctx: { caller, services }, input: { space_id, agent_adapter } }) => {
      const joined = await services.database.participants.join(
        caller.scope,
        space_id,
        { actorId: caller.actorId, agentAdapter: agent_adapter ?? null, joinedAt: new Date() },
        (space) => requireJoinable(space.status),
      )
      if (joined === 'unknown_space') throw unknown('Space')
      if (joined === 'gone') throw unauthenticated()
      return presentParticipant(joined)
    }),
})
