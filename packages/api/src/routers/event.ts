import type { Cursor, PageRequest, PageResult } from '@collab-spaces/db'
import { callsIn, type Event as EventValue, noServerKey, type Scope, unknown } from '@collab-spaces/domain'
import { z } from 'zod'
import { appendEvent, appendEvents, type EventInput } from '../events/append.js'
import type { KeyedRequest } from '../events/idempotency.js'
import { eachWithMentions, namesOf, withMentions } from '../events/mentions.js'
import { subjectOf } from '../limits/request-limits.js'
import { EventStream } from '../live/event-stream.js'
import type { Wait } from '../live/wait.js'
import { presentCalls } from '../presenters/mention.js'
import type { Caller } from '../procedure/credential.js'
import { Rendered } from '../procedure/output.js'
import { procedure, router } from '../procedure/trpc.js'
import { readInTurn } from '../procedure/turn.js'
import { requireSpace } from '../require-space.js'
import {
  AppendBatch,
  AppendEvent,
  Event,
  EventId,
  FindMentions,
  ListEvents,
  ListMentions,
  Mentions,
  Response,
  Speech,
  StreamEvents,
  StreamTicket,
  Transcript,
} from '../schemas/event.js'
import { LoopGuardTripped } from '../schemas/policy.js'
import { SpaceId } from '../schemas/space.js'
import type { Services } from '../services.js'

const KEYED = { 'Idempotency-Key': 'idempotency_key' }
const GUARDED = { 409: LoopGuardTripped }

function cursorOf({ since, before, tail }: z.output<typeof ListEvents>): Cursor {
  if (since !== undefined) return { kind: 'after', eventId: since }
  if (before !== undefined) return { kind: 'before', eventId: before }
  return tail ? { kind: 'tail' } : { kind: 'start' }
}

function pageOf(result: PageResult): Rendered<EventValue[]> {
  switch (result.kind) {
    case 'unknown_space':
      throw unknown('Space')
    case 'unknown_cursor':
      throw unknown('Event')
    case 'page':
      return Rendered.page<EventValue>(result.json)
    case 'long_page':
      return Rendered.pieces<EventValue[]>(result.pieces)
  }
}

export const eventRouter = router({
  list: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      hasOwnTurn: true,
      openapi: {
        method: 'GET',
        path: '/api/spaces/{space_id}/events',
        tags: ['Events'],
        summary: 'Get a page of the history, ascending',
        description:
          'To follow it, set `since` to the last event id received: nothing is missed or repeated, however many are ' +
          'writing. With `wait`, a page without events is returned once there are some, or when the time is over.',
        errorResponses: [404],
      },
    })
    .input(ListEvents)
    .output(z.array(Event))
    .query(async ({ ctx, input }) => {
      const { caller, services } = ctx
      const request = { scope: caller.scope, spaceId: input.space_id, cursor: cursorOf(input), limit: input.limit }
      const page = await services.waits.answer(ctx, {
        seconds: input.wait,
        look: () => services.database.events.page(request),
        isEmpty,
        enter: (wait) => wakeOnEvents(services, request, wait),
      })
      return pageOf(page)
    }),

  get: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      hasOwnTurn: true,
      openapi: {
        method: 'GET',
        path: '/api/spaces/{space_id}/events/{event_id}',
        tags: ['Events'],
        summary: 'Get an event',
        errorResponses: [404],
      },
    })
    .input(EventId)
    .output(Event)
    .query(async ({ ctx: { caller, services }, input: { space_id, event_id } }) => {
      const event = await services.database.events.find(caller.scope, space_id, event_id)
      if (!event) throw unknown('Event')
      return Rendered.json<EventValue>(event.wire)
    }),

  transcript: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      isHeavy: true,
      openapi: {
        method: 'GET',
        path: '/api/spaces/{space_id}/transcript',
        tags: ['Events'],
        summary: 'Get all events of a time range, however many',
        description: 'Both ends are inclusive. The response is streamed and can have any size.',
        errorResponses: [404],
      },
    })
    .input(Transcript)
    .output(z.array(Event))
    .query(async ({ ctx, input: { space_id, start, end } }) => {
      const { caller, services } = ctx
      const { events } = services.database
      const window = { start: start ?? null, end: end ?? null }
      const span = await readInTurn(ctx, () => events.span(caller.scope, space_id, window))
      if (!span) throw unknown('Space')
      return Rendered.pieces<EventValue[]>(events.spanPieces(caller.scope, space_id, span))
    }),

  mentions: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      hasOwnTurn: true,
      openapi: {
        method: 'GET',
        path: '/api/spaces/{space_id}/mentions/{participant_id}',
        tags: ['Events'],
        summary: 'List events that mention a participant, ascending',
        errorResponses: [404],
      },
    })
    .input(ListMentions)
    .output(z.array(Event))
    .query(async ({ ctx: { caller, services }, input: { space_id, participant_id, since, limit } }) =>
      pageOf(await services.database.events.mentions(caller.scope, space_id, participant_id, since ?? null, limit)),
    ),

  findMentions: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      body: 'text',
      openapi: {
        method: 'POST',
        path: '/api/spaces/{space_id}/mentions',
        tags: ['Events', 'Extensions'],
        summary: 'Find out whom a text would mention',
        description: 'Shows what `mentions_from_text` would do. Nothing is written.',
        errorResponses: [404],
      },
    })
    .input(FindMentions)
    .output(Mentions)
    .mutation(async ({ ctx: { caller, services }, input: { space_id, text } }) => {
      await requireSpace(services, caller.scope, space_id)
      const people = await services.database.participants.callable(caller.scope, space_id)
      return presentCalls(callsIn(text, await namesOf(people)))
    }),

  speech: procedure
    .meta({
      caller: 'actor',
      scope: 'write',
      hasOwnTurn: true,
      body: 'text',
      openapi: {
        method: 'POST',
        path: '/api/spaces/{space_id}/speech',
        tags: ['Events'],
        summary: 'Say something as a human',
        errorResponses: [404, 409],
      },
      headers: KEYED,
      errorBodies: GUARDED,
    })
    .input(Speech)
    .output(Event)
    .mutation(({ ctx: { caller, services }, input }) => {
      const { speaker_id = caller.actorId, speaker_name = caller.displayName } = input
      return write(services, caller, sentOf('speech', input, { id: speaker_id, name: speaker_name, type: 'human' }))
    }),

  response: procedure
    .meta({
      caller: 'actor',
      scope: 'write',
      hasOwnTurn: true,
      body: 'text',
      openapi: {
        method: 'POST',
        path: '/api/spaces/{space_id}/response',
        tags: ['Events'],
        summary: 'Answer as an agent',
        description: 'The speaker is the authenticated actor, regardless of the body.',
        errorResponses: [404, 409],
      },
      headers: KEYED,
      errorBodies: GUARDED,
    })
    .input(Response)
    .output(Event)
    .mutation(({ ctx: { caller, services }, input }) => {
      const speaker = { id: caller.actorId, name: caller.displayName, type: 'agent' }
      return write(services, caller, sentOf('response', input, speaker))
    }),

  append: procedure
    .meta({
      caller: 'actor',
      scope: 'write',
      hasOwnTurn: true,
      body: 'most',
      openapi: {
        method: 'POST',
        path: '/api/spaces/{space_id}/events',
        tags: ['Events'],
        summary: 'Write an event from any source',
        errorResponses: [404, 409],
      },
      headers: KEYED,
      errorBodies: GUARDED,
    })
    .input(AppendEvent)
    .output(Event)
    .mutation(({ ctx: { caller, services }, input }) => write(services, caller, sentFrom(input))),

  appendBatch: procedure
    .meta({
      caller: 'actor',
      scope: 'write',
      hasOwnTurn: true,
      body: 'most',
      openapi: {
        method: 'POST',
        path: '/api/spaces/{space_id}/events/batch',
        tags: ['Events', 'Extensions'],
        summary: 'Write many events from any source, all or nothing',
        description:
          'They are written in the order sent, with no other events between them. An error names its event, counted ' +
          'from 0. Each event can have its own idempotency key, so sending a batch again adds only what is missing.',
        errorResponses: [404, 409],
      },
      errorBodies: GUARDED,
    })
    .input(AppendBatch)
    .output(z.array(Event))
    .mutation(async ({ ctx: { caller, services }, input: { space_id, events } }) => {
      // The request was counted as one write.
      services.limits.writes?.add(subjectOf(caller), events.length - 1)
      const batch = events.map((input) => sentFrom({ space_id, ...input }))
      return appendEvents(services, caller, await eachWithMentions(services, caller, space_id, batch))
    }),

  streamTicket: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      openapi: {
        method: 'POST',
        path: '/api/spaces/{space_id}/events/stream/tickets',
        tags: ['Events', 'Extensions'],
        summary: 'Make a ticket for the live stream',
        description:
          'For an `EventSource`, which cannot set headers: as its `token`, a ticket opens the stream of this space for a ' +
          'minute, and nothing else. The stream lasts as long as the credential that the ticket was made with.',
        errorResponses: [404, 409],
      },
    })
    .input(SpaceId)
    .output(StreamTicket)
    .mutation(async ({ ctx: { caller, services }, input: { space_id } }) => {
      const { streamTickets } = services
      if (!streamTickets) throw noServerKey('Tickets')
      await requireSpace(services, caller.scope, space_id)
      const { ticket, expiresAt } = streamTickets.issue(caller.credentialHash, space_id, new Date())
      return { ticket, expires_at: expiresAt.toISOString() }
    }),

  stream: procedure
    .meta({
      caller: 'actorOrTicket',
      scope: 'read',
      openapi: {
        // trpc-to-openapi does not support streams: our document and our adapter add it.
        enabled: false,
        method: 'GET',
        path: '/api/spaces/{space_id}/events/stream',
        tags: ['Events'],
        summary: 'Follow the live stream',
        description:
          'Server-Sent Events named `context_event`. Starts after the cursor, or at the beginning of the history, ' +
          'and continues live.',
        errorResponses: [404],
      },
      headers: { 'Last-Event-ID': 'lastEventId' },
    })
    .input(StreamEvents)
    .subscription(async ({ ctx: { caller, services }, input: { space_id, since, lastEventId } }) => {
      const after = await beginningOf(services, caller.scope, space_id, lastEventId ?? since)
      const onClose = services.limits.streams?.take(subjectOf(caller))
      return new EventStream(services, caller, { scope: caller.scope, spaceId: space_id, after }, onClose)
    }),
})

interface Speaker {
  readonly id: string
  readonly name: string
  readonly type: string
}

/** An event that somebody wants to write. */
interface Sent {
  readonly event: EventInput
  readonly request: KeyedRequest
  /** Whether whom its text calls is to be mentioned. */
  readonly asks: boolean
}

function sentOf(
  operation: string,
  { idempotency_key, ...body }: z.output<typeof Response>,
  speaker: Speaker,
  references: string[] = [],
): Sent {
  const event = {
    space_id: body.space_id,
    speaker_id: speaker.id,
    speaker_name: speaker.name,
    speaker_type: speaker.type,
    text: body.text,
    parent_event_id: body.parent_event_id ?? null,
    references,
    thread_id: body.thread_id ?? null,
    metadata: body.metadata ?? null,
  }
  return { event, request: { operation, key: idempotency_key, body }, asks: body.mentions_from_text === true }
}

/** From any source, alone or in a batch: an idempotency key identifies the same request either way. */
function sentFrom(input: z.output<typeof AppendEvent>): Sent {
  const { speaker_id, speaker_name, speaker_type = 'human', references } = input
  return sentOf('append', input, { id: speaker_id, name: speaker_name, type: speaker_type }, references)
}

const write = async (services: Services, caller: Caller, { event, request, asks }: Sent) =>
  appendEvent(services, caller, asks ? await withMentions(services, caller, event) : event, request)

const isEmpty = (result: PageResult) => result.kind === 'page' && result.json === '[]'

/** Has a request woken by the first event after its cursor, as a stream would be. */
async function wakeOnEvents(services: Services, request: PageRequest, wait: Wait): Promise<() => void> {
  const { scope, spaceId, cursor } = request
  const after = await beginningOf(services, scope, spaceId, cursor.kind === 'after' ? cursor.eventId : undefined)
  const subscription = services.hub.subscribe(scope, spaceId, after, {
    write() {
      wait.wake()
      return false
    },
    end: () => wait.end(),
    fail: (error) => wait.fail(error),
  })
  return () => subscription.close()
}

/** The position after which a reader with a cursor begins. 404 if the space or the event does not exist. */
async function beginningOf({ database }: Services, scope: Scope, spaceId: string, cursor: string | undefined) {
  const beginning = await database.events.begin(scope, spaceId, cursor ?? null)
  if (beginning === 'unknown_space') throw unknown('Space')
  if (beginning === 'unknown_event') throw unknown('Event')
  return beginning
}
