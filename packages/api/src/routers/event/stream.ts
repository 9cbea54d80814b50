import { databaseClock } from '@collab-spaces/db'
import { humanOf, noServerKey } from '@collab-spaces/domain'
import { EventStream } from '../../live/event-stream.js'
import { procedure } from '../../procedure/trpc.js'
import { requireSpace } from '../../require-space.js'
import { StreamEvents, StreamTicket } from '../../schemas/event.js'
import { SpaceId } from '../../schemas/space.js'

export const streams = {
  streamTicket: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'row',
      route: 'POST /api/spaces/{space_id}/events/stream/tickets',
      tags: ['Events', 'Extensions'],
      summary: 'Create a ticket for the live stream',
      returns: '`{ticket, expires_at}`',
      errors: [409],
      idempotent: true,
    })
    .input(SpaceId)
    .output(StreamTicket)
    .mutation(async ({ ctx: { caller, services }, input: { space_id } }) => {
      const { streamTickets } = services
      if (!streamTickets) throw noServerKey('Tickets')
      await requireSpace(services, caller, space_id)
      const { ticket, expiresAt } = streamTickets.issue(
        caller.credentialHash,
        { spaceId: space_id },
        databaseClock.now(),
      )
      return { ticket, expires_at: expiresAt.toISOString() }
    }),

  stream: procedure
    .meta({
      caller: 'actorOrTicket',
      scope: 'read',
      cost: 'stream',
      route: 'GET /api/spaces/{space_id}/events/stream',
      // trpc-to-openapi does not support streams: our document and our adapter add it.
      tags: ['Events'],
      summary: 'Follow the live stream of a space',
      description: 'Server-Sent Events named `context_event`.',
      headers: { 'Last-Event-ID': 'lastEventId' },
    })
    .input(StreamEvents)
    .subscription(async ({ ctx: { caller, services }, input: { space_id, since, lastEventId, acts, reactions } }) => {
      const beginning = await services.database.events.begin(caller, space_id, lastEventId ?? since)
      const onClose = services.limits.streams?.take(humanOf(caller))
      const { space, after } = beginning
      // A spread would cost each stream a hidden class on Node 20 (`docs/performance.md`).
      const start = { space, after, includesActs: acts, includesReactions: reactions }
      return new EventStream(services, caller, start, onClose)
    }),
}
