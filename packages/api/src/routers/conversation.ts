import { databaseClock } from '@collab-spaces/db'
import { partnersOf } from '@collab-spaces/domain'
import { presentSpaceStatus } from '../presenters/space.js'
import { procedure, router } from '../procedure/trpc.js'
import { SpaceStatus, StartConversation } from '../schemas/space.js'

export const conversationRouter = router({
  start: procedure
    .meta({
      caller: 'actor',
      scope: 'write',
      cost: 'change',
      route: 'POST /api/conversations',
      tags: ['Spaces', 'Extensions'],
      summary: 'Start a conversation with other members, or get the existing one',
      description:
        'With up to 19 other actors of the tenant. Each group has one conversation, a private space. Members who ' +
        'left stay out, and are missing from `participants`, until they start it themselves, which also brings back ' +
        'their agents. Its members and visibility are fixed (409).',
      returns: 'status view',
      errors: [404, 409],
      idempotent: true,
      example: { actor_ids: ['the actor_id of a member'] },
    })
    .input(StartConversation)
    .output(SpaceStatus)
    .mutation(async ({ ctx: { caller, services }, input: { actor_ids } }) => {
      const { conversations, participants, personal } = services.database
      const conversation = { partners: partnersOf(caller.actorId, actor_ids), startedAt: databaseClock.now() }
      const space = await conversations.start(caller, conversation, services.quotas.of(caller.tenantId, 'spaces'))
      return presentSpaceStatus(
        space,
        await personal.of(space, caller.actorId),
        await participants.list(space, caller.actorId),
      )
    }),
})
