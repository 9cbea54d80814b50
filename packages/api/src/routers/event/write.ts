import { databaseClock } from '@collab-spaces/db'
import { hasMention, humanOf, requirePast, revisedId, type Speaker } from '@collab-spaces/domain'
import type { Slot } from '@collab-spaces/fair'
import { z } from 'zod'
import { appendEvent, appendEvents, isLong, type SentEvent } from '../../events/append.js'
import { requireMayAttribute, requireSpeakers } from '../../events/attribution.js'
import { inDiscussion } from '../../events/discussion.js'
import { eachWithFiles } from '../../events/files.js'
import { eachWithMentions, withMentions } from '../../events/mentions.js'
import { eachWithRevised, withRevised } from '../../events/revision.js'
import type { Cost } from '../../gate.js'
import { type EventInput, eventOf } from '../../presenters/event.js'
import type { Caller } from '../../procedure/credential.js'
import { procedure } from '../../procedure/trpc.js'
import { Done } from '../../schemas/actor.js'
import { AppendBatch, AppendEvent, CheckBatch, Event, Response, Speech, WriteRefused } from '../../schemas/event.js'
import type { Services } from '../../services.js'

const KEYED = { 'Idempotency-Key': 'idempotency_key' }
const REFUSED = { 409: WriteRefused }
export const writes = {
  speech: procedure
    .meta({
      caller: 'actor',
      scope: 'write',
      cost: costOfWriting,
      body: 'text',
      route: 'POST /api/spaces/{space_id}/speech',
      tags: ['Events'],
      summary: 'Speak as a human',
      description: 'By default the speaker is the caller.',
      returns: 'event of a `human`, regardless of the poster',
      errors: [409],
      example: { text: 'Where shall we go?', metadata: { mood: 'curious' } },
      headers: KEYED,
      errorBodies: REFUSED,
    })
    .input(Speech)
    .output(Event)
    .mutation(({ ctx, input }) => {
      const { caller } = ctx
      const { speaker_id = caller.actorId, speaker_name = caller.displayName } = input
      return write(ctx, sentOf(caller, 'speech', input, { id: speaker_id, name: speaker_name, type: 'human' }))
    }),

  response: procedure
    .meta({
      caller: 'actor',
      scope: 'write',
      cost: costOfWriting,
      body: 'text',
      route: 'POST /api/spaces/{space_id}/response',
      tags: ['Events'],
      summary: 'Speak as an agent',
      returns: 'event of an `agent`, spoken by the caller',
      errors: [409],
      example: { text: 'To the sea.' },
      ignored: ['agent_id', 'agent_name'],
      headers: KEYED,
      errorBodies: REFUSED,
    })
    .input(Response)
    .output(Event)
    .mutation(({ ctx, input }) => {
      const { caller } = ctx
      const speaker = { id: caller.actorId, name: caller.displayName, type: 'agent' }
      return write(ctx, sentOf(caller, 'response', input, speaker))
    }),

  append: procedure
    .meta({
      caller: 'actor',
      scope: 'write',
      cost: costOfWriting,
      body: 'most',
      route: 'POST /api/spaces/{space_id}/events',
      tags: ['Events'],
      summary: 'Write an event from any source',
      returns: 'event of any source',
      errors: [409],
      example: { text: 'Welcome back.', speaker_id: 'radio', speaker_name: 'Radio', speaker_type: 'transcript' },
      headers: KEYED,
      errorBodies: REFUSED,
    })
    .input(AppendEvent)
    .output(Event)
    .mutation(({ ctx, input }) => write(ctx, sentFrom(ctx.caller, input))),

  appendBatch: procedure
    .meta({
      caller: 'actor',
      scope: 'write',
      cost: 'bulk',
      body: 'most',
      route: 'POST /api/spaces/{space_id}/events/batch',
      tags: ['Events', 'Extensions'],
      summary: 'Write many events, all or nothing',
      description: 'Each of the `events` has the fields of a single one.',
      returns: 'events, as sent',
      errors: [409],
      example: {
        events: [
          { text: 'First, the weather.', speaker_id: 'radio', speaker_name: 'Radio' },
          { text: 'Sun at the coast.', speaker_id: 'radio', speaker_name: 'Radio' },
        ],
      },
      errorBodies: REFUSED,
    })
    .input(AppendBatch)
    .output(z.array(Event))
    .mutation(async ({ ctx: { caller, services }, input: { space_id, events } }) => {
      // The request was counted as one write.
      services.limits.writes?.add(humanOf(caller), events.length - 1)
      requireAllPast(events)
      const batch = events.map((input) => sentFrom(caller, { space_id, ...input }))
      await requireMayAttribute(services, caller, batch, false)
      const resolved = await eachWithRevised(services, caller, await eachWithFiles(services, caller, batch))
      return appendEvents(services, caller, await eachWithMentions(services, caller, space_id, resolved))
    }),

  checkBatch: procedure
    .meta({
      caller: 'actor',
      scope: 'read',
      cost: 'bulk',
      body: 'most',
      route: 'POST /api/events/check',
      tags: ['Events', 'Extensions'],
      summary: 'Check the fields and speakers of a batch',
      description: 'Takes `events` as a batch does, without a space. Writes nothing: the error is that of the batch.',
      idempotent: true,
      example: { events: [{ text: 'First, the weather.', speaker_id: 'radio', speaker_name: 'Radio' }] },
    })
    .input(CheckBatch)
    .output(Done)
    .mutation(async ({ ctx: { caller, services }, input: { events } }) => {
      requireAllPast(events)
      const speakers = events.map(({ speaker_id: id, speaker_name: name, speaker_type: type = 'human' }) => ({
        id,
        name,
        type,
      }))
      await requireSpeakers(services, caller, speakers)
      return { ok: true as const }
    }),
}

/** Every message of the page asks for mentions. The few that have one read the names of a space. */
function costOfWriting({ text, mentions_from_text }: Readonly<Record<string, unknown>>): Cost {
  if (typeof text !== 'string') return 'write'
  return isLong(text) || (mentions_from_text === true && hasMention(text)) ? 'bulk' : 'write'
}

function requireOccurred(claimed: string | undefined, place = ''): void {
  if (claimed !== undefined) requirePast(`${place}occurred_at`, new Date(claimed), databaseClock.now())
}

function requireAllPast(events: readonly { readonly occurred_at?: string | undefined }[]): void {
  for (const [index, { occurred_at }] of events.entries()) requireOccurred(occurred_at, `events.${index}.`)
}

function sentOf(caller: Caller, operation: string, input: EventInput, speaker: Speaker): SentEvent {
  const { idempotency_key, claim, ...body } = input
  const request = { operation, key: idempotency_key, body }
  return {
    event: eventOf(caller, body, speaker),
    request,
    fileIds: body.file_ids ?? [],
    decisionId: body.decision_id,
    resolvesMentions: body.mentions_from_text === true,
    claim,
  }
}

/** From any source, alone or in a batch: an idempotency key identifies the same request either way. */
function sentFrom(caller: Caller, input: z.output<typeof AppendEvent>): SentEvent {
  const { speaker_id, speaker_name, speaker_type = 'human' } = input
  return sentOf(caller, 'append', input, { id: speaker_id, name: speaker_name, type: speaker_type })
}

/** The caller that writes, and the slot of its request. */
interface Writing {
  readonly services: Services
  readonly caller: Caller
  readonly slot: Slot
}

async function write({ services, caller, slot }: Writing, sent: SentEvent) {
  requireOccurred(sent.event.occurred_at)
  const judged = requireMayAttribute(services, caller, [sent], true)
  if (judged) await judged
  const [named = sent] = sent.fileIds.length > 0 ? await eachWithFiles(services, caller, [sent]) : [sent]
  const placed = named.decisionId === undefined ? named : await inDiscussion(services, caller, named, named.decisionId)
  const resolved = revisedId(placed.event) === undefined ? placed : await withRevised(services, caller, placed)
  const event = sent.resolvesMentions ? await withMentions(services, caller, resolved.event) : resolved.event
  return appendEvent(services, caller, { ...resolved, event }, slot)
}
