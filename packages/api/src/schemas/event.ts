import {
  ACTOR_TYPES,
  GUARD_SCOPES,
  isJsonObject,
  LIMITS,
  namedIn,
  PAGES,
  repeatedKey,
  SPEAKER_TYPES,
} from '@collab-spaces/domain'
import { z } from 'zod'
import {
  addedFlag,
  flag,
  freeObject,
  id,
  idempotencyKey,
  integer,
  list,
  moment,
  name,
  optional,
  requireAtMostOne,
  requireForwards,
  text,
  timestamp,
  uris,
  visibleText,
  wait,
} from './field.js'
import { EventFile, fileIds } from './file.js'
import { Reaction } from './reaction.js'
import { heldClaim } from './work-claim.js'

/** An event as readers get it. `redacted` of the domain decides what is erased of one. */
export const Event = z
  .object({
    event_id: z.uuid(),
    space_id: z.string(),
    speaker_id: z.string(),
    speaker_name: z.string(),
    speaker_type: z.string().meta({ examples: [...SPEAKER_TYPES] }),
    text: z.string(),
    timestamp: moment(),
    parent_event_id: z.string().nullable(),
    references: z.array(z.string()),
    thread_id: z.string().nullable(),
    metadata: freeObject().nullable(),
    posted_by: z.string().meta({ description: 'The authenticated actor that sent it' }),
    posted_by_name: z.string().meta({ description: 'Its name when it sent it' }),
    posted_by_type: z
      .enum(ACTOR_TYPES)
      .meta({ description: 'Whether it is a human or an agent, whatever the speaker' }),
    corrects: z
      .string()
      .optional()
      .meta({ description: 'Only of a correction: the event that it corrects. Extension' }),
    retracts: z.string().optional().meta({ description: 'Only of a retraction: the retracted event. Extension' }),
    occurred_at: moment().optional().meta({
      description: 'Only of an event of earlier: when it happened, as its poster claims. Extension',
    }),
    files: z.array(EventFile).optional().meta({ description: 'Only if it has any. Extension' }),
    deleted_files: z.array(z.string()).optional().meta({
      description: 'Only if files of it were deleted: their ids. Extension',
    }),
    redacted_at: moment().optional().meta({ description: 'Only if the operator has erased its text. Extension' }),
    corrected_by: z.string().optional().meta({
      description: 'Only if it was corrected: its newest correction. `text` stays as it was sent. Extension',
    }),
    corrected_at: moment().optional().meta({ description: 'With `corrected_by`: its time. Extension' }),
    current_text: z.string().optional().meta({ description: 'With `corrected_by`: the newest text. Extension' }),
    retracted_by: z.string().optional().meta({
      description: 'Only if it was retracted: by this event. `text` stays: it is no erasure. Extension',
    }),
    reactions: z.array(Reaction).optional().meta({
      description: 'Only if it has any, in pages of the history and of mentions, threads and transcripts. Extension',
    }),
  })
  .meta({ id: 'Event' })
export type Event = z.output<typeof Event>

const space_id = id('The space')
const since = optional(z.string()).meta({ description: 'Event id: only events after it' })

export const ListEvents = z
  .object({
    space_id,
    since,
    before: optional(z.string()).meta({ description: 'Event id: the page just before it' }),
    tail: flag().meta({ description: 'The last page' }),
    limit: integer(PAGES.events),
    wait: wait(),
  })
  .superRefine(({ since, before, tail, wait }, context) => {
    if (wait > 0 && (before !== undefined || tail)) {
      context.addIssue({ code: 'custom', path: ['wait'], message: 'cannot be combined with before or tail' })
    }
    requireAtMostOne({ since, before, tail }, context)
  })

export const EventId = z.object({ space_id, event_id: id('The event') })

export const Transcript = z
  .object({ space_id, start: optional(timestamp()), end: optional(timestamp()) })
  .superRefine(requireForwards('start', 'end'))

export const ListMentions = z.object({
  space_id,
  participant_id: id('The mentioned participant'),
  since,
  limit: integer(PAGES.mentions),
})

export const StreamTicket = z
  .object({ ticket: z.string(), expires_at: moment().meta({ description: 'Until when it opens streams' }) })
  .meta({ id: 'StreamTicket' })

export const StreamEvents = z.object({
  space_id,
  since,
  lastEventId: optional(z.string()).meta({ description: 'The last event received; takes precedence over since' }),
  acts: flag().meta({
    description:
      'Also tell, as messages named `act`, of which decision the acts have grown; null for the space. Extension',
  }),
  reactions: flag().meta({
    description:
      'Also tell, as messages named `reaction`, to which event the reactions have changed; null for any. Extension',
  }),
})

/** Free-form, but with a limited number of mentions. */
const metadata = freeObject().superRefine((value, context) => {
  if (!isJsonObject(value) || namedIn(value).length <= LIMITS.mentions) return
  const message = `must name at most ${LIMITS.mentions} participants`
  context.addIssue({ code: 'custom', path: ['mentions'], message })
})

const revised = (description: string) => optional(z.string({ error: 'must be a string' })).meta({ description })

const write = {
  space_id,
  text: visibleText(LIMITS.text),
  thread_id: optional(z.string({ error: 'must be a string' })).meta({ description: 'The thread to post in' }),
  metadata: optional(metadata),
  file_ids: fileIds(),
  mentions_from_text: addedFlag().meta({
    description: 'Also mention each participant that `@Name` in the text uniquely identifies. Extension',
  }),
  corrects: revised('An own event whose text this one replaces for readers, in its thread. Extension'),
  retracts: revised('An own event that this one retracts, with the reason as `text`. Nothing is erased. Extension'),
  // As text, of which the hash of a keyed request is made.
  occurred_at: optional(timestamp().transform((time) => time.toISOString())).meta({
    description: 'When it happened, of an event of earlier. A claim, which changes no order. Extension',
  }),
  idempotency_key: idempotencyKey(),
  claim: heldClaim(),
}

/** A field of an event alone: in a batch, two events could start the same thread. */
const decision_id = optional(z.string({ error: 'must be a string' })).meta({
  description: 'A decision, to post in its thread, which the event starts if there is none. Extension',
})

/** What says where an event belongs. */
const PLACES = ['thread_id', 'parent_event_id', 'corrects', 'retracts'] as const

function requireOnePlace(
  input: Readonly<Partial<Record<(typeof PLACES)[number] | 'decision_id', string | undefined>>>,
  context: z.RefinementCtx,
): void {
  requireOneRevised(input, context)
  const other = input.decision_id === undefined ? undefined : PLACES.find((name) => input[name] !== undefined)
  if (other) context.addIssue({ code: 'custom', path: ['decision_id'], message: `cannot be combined with ${other}` })
}

const requireOneRevised = (
  { corrects, retracts }: { readonly corrects?: string | undefined; readonly retracts?: string | undefined },
  context: z.RefinementCtx,
) => requireAtMostOne({ corrects, retracts }, context)

const parent_event_id = optional(z.string({ error: 'must be a string' })).meta({
  description: 'The event it replies to',
})

export const FindMentions = z.object({ space_id, text: text(LIMITS.text) })

export const Mentions = z
  .object({
    mentions: z.array(z.object({ name: z.string(), participant_id: z.string() })).meta({
      description: 'The identified participants: `name` is the text after the @',
    }),
    unclear: z.array(z.object({ name: z.string(), participant_ids: z.array(z.string()) })).meta({
      description: 'Names that fit no participant, or several',
    }),
  })
  .meta({ id: 'Mentions' })

export const Speech = z
  .object({
    ...write,
    decision_id,
    parent_event_id: parent_event_id.meta({ description: 'The event it replies to. Extension' }),
    speaker_id: optional(text(LIMITS.speakerId)).meta({ description: "Default: the caller's id" }),
    speaker_name: optional(name(LIMITS.speakerName)).meta({ description: "Default: the caller's name" }),
  })
  .superRefine(requireOnePlace)

export const Response = z.object({ ...write, decision_id, parent_event_id }).superRefine(requireOnePlace)

export const AppendEvent = z
  .object({
    ...write,
    parent_event_id,
    speaker_id: text(LIMITS.speakerId),
    speaker_name: name(LIMITS.speakerName),
    speaker_type: optional(
      text(LIMITS.speakerType).meta({ override: { default: 'human', examples: [...SPEAKER_TYPES] } }),
    ),
    references: optional(uris()),
  })
  .superRefine(requireOneRevised)

const { space_id: _, ...ofEvent } = AppendEvent.shape
const BatchedEvent = z.object(ofEvent, { error: 'must be a JSON object' }).superRefine(requireOneRevised)

export const CheckBatch = z.object({
  events: list(BatchedEvent, LIMITS.batch, 'events')
    .min(1, { error: 'must not be empty' })
    .superRefine((events, context) => {
      const named = events.flatMap(({ file_ids = [] }, index) => file_ids.map((id) => ({ id, index })))
      const repeatedFile = repeatedKey(named.map(({ id }) => id))
      const again = repeatedFile && named[repeatedFile.again]
      if (again) {
        const message = 'must not name a file that another event of the batch names'
        context.addIssue({ code: 'custom', path: [again.index, 'file_ids'], message })
      }
      const repeated = repeatedKey(events.map(({ idempotency_key }) => idempotency_key))
      if (!repeated) return
      const message = `is already used by events.${repeated.first}: use a different key for each event`
      context.addIssue({ code: 'custom', path: [repeated.again, 'idempotency_key'], message })
    }),
})

export const AppendBatch = CheckBatch.extend({ space_id })

/** The error of an event that a loop guard refused, or whose claim is lost; any other conflict has only a detail. */
export const WriteRefused = z
  .object({
    detail: z.string(),
    error: z.enum(['loop_guard', 'claim_lost']).optional(),
    scope: z.enum(GUARD_SCOPES).optional(),
    limit: z.int().optional(),
  })
  .meta({ id: 'WriteRefused' })
