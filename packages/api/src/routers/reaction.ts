import { databaseClock } from '@collab-spaces/db'
import { emojiOf } from '@collab-spaces/domain'
import { z } from 'zod'
import { clearInbox } from '../events/append.js'
import type { Caller } from '../procedure/credential.js'
import { procedure, router } from '../procedure/trpc.js'
import { Done } from '../schemas/actor.js'
import { EventId } from '../schemas/event.js'
import { Reaction, ReactionKey } from '../schemas/reaction.js'
import type { Services } from '../services.js'

export const reactionRouter = router({
  list: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'row',
      route: 'GET /api/spaces/{space_id}/events/{event_id}/reactions',
      tags: ['Events', 'Extensions'],
      summary: 'List the reactions to an event, with all their actors',
      returns: '[reactions](#reactions)',
    })
    .input(EventId)
    .output(z.array(Reaction))
    .query(async ({ ctx: { caller, services }, input: { space_id, event_id } }) => [
      ...(await services.database.reactions.list(caller, space_id, event_id)).map(({ actors, ...reaction }) => ({
        ...reaction,
        actors: [...actors],
      })),
    ]),

  add: procedure
    .meta({
      caller: 'actor',
      scope: 'react',
      cost: 'change',
      route: 'PUT /api/spaces/{space_id}/events/{event_id}/reactions/{emoji}',
      tags: ['Events', 'Extensions'],
      summary: 'React to an event',
      description:
        "No event of the log, and told only to open streams. Clears the event from the caller's inbox. Beyond 20 " +
        'different emoji or 1,000 reactions of the event, or of a redacted event: 409.',
      errors: [409],
      idempotent: true,
    })
    .input(ReactionKey)
    .output(Done)
    .mutation(async ({ ctx: { caller, services }, input }) => {
      const reaction = reactionOf(input)
      const { reactions, inbox } = services.database
      const { position, isNew } = await reactions.add(caller, reaction, databaseClock.now())
      if (isNew) announce(services, caller, reaction)
      if (caller.actorType === 'human') {
        const { spaceId, eventId: parentEventId } = reaction
        // The event alone, as a reply to it would; also if an earlier attempt failed after the reaction.
        const answer = { spaceId, position: position + 1, parentEventId, threadId: null }
        await clearInbox(services, caller, spaceId, () => inbox.answered(caller, answer))
      }
      return { ok: true as const }
    }),

  remove: procedure
    .meta({
      caller: 'actor',
      scope: 'react',
      cost: 'change',
      route: 'DELETE /api/spaces/{space_id}/events/{event_id}/reactions/{emoji}',
      tags: ['Events', 'Extensions'],
      summary: 'Take a reaction back',
      errors: [409],
      idempotent: true,
    })
    .input(ReactionKey)
    .output(Done)
    .mutation(async ({ ctx: { caller, services }, input }) => {
      const reaction = reactionOf(input)
      if (await services.database.reactions.remove(caller, reaction)) announce(services, caller, reaction)
      return { ok: true as const }
    }),
})

const reactionOf = ({ space_id, event_id, emoji }: z.output<typeof ReactionKey>) => ({
  spaceId: space_id,
  eventId: event_id,
  emoji: emojiOf(emoji),
})

function announce(
  { database }: Services,
  { tenantId }: Caller,
  { spaceId, eventId }: { readonly spaceId: string; readonly eventId: string },
): void {
  database.bus.publish({ kind: 'reaction', tenantId, spaceId, eventId })
}
