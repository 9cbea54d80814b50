import type { Cursor, Page, PageRequest } from '@collab-spaces/db'
import { distinctMentions, unknown } from '@collab-spaces/domain'
import { z } from 'zod'
import { namesOf } from '../../events/mentions.js'
import type { Wait } from '../../live/wait.js'
import { presentMentions } from '../../presenters/event.js'
import { unlessItWaits } from '../../procedure/meta.js'
import { RenderedOutput } from '../../procedure/output.js'
import { procedure } from '../../procedure/trpc.js'
import { requireSpace } from '../../require-space.js'
import { Event, EventId, FindMentions, ListEvents, ListMentions, Mentions, Transcript } from '../../schemas/event.js'
import type { Services } from '../../services.js'

export const reads = {
  list: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: unlessItWaits('page'),
      route: 'GET /api/spaces/{space_id}/events',
      tags: ['Events'],
      summary: 'Get a page of the history, ascending',
      description: '`wait` cannot be combined with `before` or `tail`.',
      returns: 'events',
    })
    .input(ListEvents)
    .output(z.array(Event))
    .query(async ({ ctx, input }) => {
      const { caller, services } = ctx
      const request = { viewer: caller, spaceId: input.space_id, cursor: cursorOf(input), limit: input.limit }
      const page = await services.longPolls.answer(ctx, {
        spaceId: input.space_id,
        seconds: input.wait,
        look: () => services.database.events.page(request),
        isEmpty,
        enter: (wait) => wakeOnEvents(services, request, wait),
      })
      if (!ctx.isHead) notePage(services, request, page)
      return pageOf(page)
    }),

  get: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'row',
      route: 'GET /api/spaces/{space_id}/events/{event_id}',
      tags: ['Events'],
      summary: 'Get an event',
      returns: 'event',
    })
    .input(EventId)
    .output(Event)
    .query(async ({ ctx: { caller, services }, input: { space_id, event_id } }) => {
      const event = await services.database.events.find(caller, space_id, event_id)
      if (!event) throw unknown('Event')
      return RenderedOutput.json<Event>(event.wire)
    }),

  revisions: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'page',
      route: 'GET /api/spaces/{space_id}/events/{event_id}/revisions',
      tags: ['Events', 'Extensions'],
      summary: 'List the corrections and the retraction of an event, ascending',
      returns: 'events that correct or retract it; `[]` of a correction',
    })
    .input(EventId)
    .output(z.array(Event))
    .query(async ({ ctx: { caller, services }, input: { space_id, event_id } }) => {
      const space = await requireSpace(services, caller, space_id)
      const { events } = services.database
      const event = await events.find(caller, space_id, event_id)
      if (!event) throw unknown('Event')
      return RenderedOutput.pieces<Event[]>(events.revisionPieces(space, event.position))
    }),

  transcript: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'heavy',
      route: 'GET /api/spaces/{space_id}/transcript',
      tags: ['Events'],
      summary: 'Get all events of a time range',
      returns: 'all events of that range',
    })
    .input(Transcript)
    .output(z.array(Event))
    .query(async ({ ctx: { caller, services }, input: { space_id, start, end } }) => {
      const { events } = services.database
      const window = { start: start ?? null, end: end ?? null }
      const span = await events.span(caller, space_id, window)
      return RenderedOutput.pieces<Event[]>(events.spanPieces(span.space, span))
    }),

  mentions: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'page',
      route: 'GET /api/spaces/{space_id}/mentions/{participant_id}',
      tags: ['Events'],
      summary: 'List events that mention a participant, ascending',
      returns: 'events that mention it; `[]` if unknown',
    })
    .input(ListMentions)
    .output(z.array(Event))
    .query(async ({ ctx: { caller, services }, input: { space_id, participant_id, since, limit } }) =>
      pageOf(await services.database.events.mentions(caller, space_id, participant_id, since ?? null, limit)),
    ),

  findMentions: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'bulk',
      body: 'text',
      route: 'POST /api/spaces/{space_id}/mentions',
      tags: ['Events', 'Extensions'],
      summary: 'Resolve `@Name` in a text to mentions',
      returns:
        'what `mentions_from_text` would make of it: `{mentions: [{name, participant_id}], unclear: [{name, ' +
        'participant_ids}]}`; unclear are names that fit no participant, or several',
      idempotent: true,
      example: { text: 'What do you think, @Scout?' },
    })
    .input(FindMentions)
    .output(Mentions)
    .mutation(async ({ ctx: { caller, services }, input: { space_id, text } }) => {
      await requireSpace(services, caller, space_id)
      const people = await services.database.participants.mentionable(caller, space_id)
      return presentMentions(distinctMentions(text, await namesOf(people)))
    }),
}

function cursorOf({ since, before, tail }: z.output<typeof ListEvents>): Cursor {
  if (since !== undefined) return { kind: 'after', eventId: since }
  if (before !== undefined) return { kind: 'before', eventId: before }
  return tail ? { kind: 'tail' } : { kind: 'start' }
}

const pageOf = (page: Page): RenderedOutput<Event[]> =>
  page.kind === 'page' ? RenderedOutput.page<Event>(page.json) : RenderedOutput.pieces<Event[]>(page.pieces)

/** Actors who said something to the reader see that it was handed out. */
function notePage({ deliveries }: Services, { viewer, spaceId }: PageRequest, page: Page): void {
  if (isEmpty(page)) return
  const { tenantId, actorId } = viewer
  deliveries.read({ tenantId, actorId, spaceId, ...page.part })
}

const isEmpty = (page: Page) => page.kind === 'page' && page.json === '[]'

/** Has a request woken by the first event after its cursor, as a stream would be. */
async function wakeOnEvents(services: Services, request: PageRequest, wait: Wait): Promise<() => void> {
  const { viewer, spaceId, cursor } = request
  const after = cursor.kind === 'after' ? cursor.eventId : undefined
  const beginning = await services.database.events.begin(viewer, spaceId, after)
  const subscription = services.hub.subscribe(beginning, {
    write() {
      wait.wake()
      return false
    },
    end: () => wait.end(),
    fail: (error) => wait.fail(error),
  })
  return () => subscription.close()
}
