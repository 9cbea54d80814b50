import { conflict, DomainError, unknown } from './errors.js'
import type { JsonObject } from './json.js'
import { LIMITS } from './limits.js'
import { spaceNotActive } from './space.js'

export const SPEAKER_TYPES = ['human', 'agent', 'transcript', 'system'] as const

/** An event in full. `timestamp` is ISO 8601 UTC with milliseconds; the log sets it when it takes the event. */
export interface Event {
  readonly event_id: string
  readonly space_id: string
  readonly speaker_id: string
  readonly speaker_name: string
  readonly speaker_type: string
  readonly text: string
  readonly timestamp: string
  readonly parent_event_id: string | null
  readonly references: string[]
  readonly thread_id: string | null
  readonly metadata: JsonObject | null
  readonly posted_by: string
}

/** An event before the log took it: everything but its moment. */
export type EventDraft = Omit<Event, 'timestamp'>

/** Why a space did not take an event or a proposal. */
export type WriteRefusal =
  | 'unknown_space'
  | 'unknown_thread'
  | 'unknown_parent'
  | 'inactive_space'
  | 'reused_idempotency_key'

const REFUSALS: Readonly<Record<WriteRefusal, () => DomainError>> = {
  unknown_space: () => unknown('Space'),
  unknown_thread: () => unknown('Thread'),
  unknown_parent: () => unknown('Parent event'),
  inactive_space: spaceNotActive,
  reused_idempotency_key: () => conflict('Idempotency-Key was already used with a different request'),
}

export const writeError = (reason: WriteRefusal): DomainError => REFUSALS[reason]()

/** These are the space's and not an event's. */
const OF_THE_SPACE: ReadonlySet<WriteRefusal> = new Set(['unknown_space', 'inactive_space'])

/**
 * What a batch is refused with, from the reasons against its events in their order, null where there is none. What
 * does not exist is told before anything else, and of several events the first is named.
 */
export function batchError(reasons: readonly (WriteRefusal | null)[]): DomainError {
  const refused = reasons.flatMap((reason, index) =>
    reason === null ? [] : [{ index, reason, error: writeError(reason) }],
  )
  const told = refused.find(({ error }) => error.kind === 'unknown') ?? refused[0]
  if (!told) throw new Error('a batch without a reason against it is not refused')
  const { index, reason, error } = told
  return OF_THE_SPACE.has(reason)
    ? error
    : new DomainError(error.kind, `events.${index}: ${error.detail}`, error.fields)
}

/** The first event of a batch whose key an earlier one has too, and that earlier one. A key stands for one event. */
export function repeatedKey(keys: readonly (string | undefined)[]): { first: number; again: number } | null {
  const seen = new Map<string, number>()
  for (const [again, key] of keys.entries()) {
    if (key === undefined) continue
    const first = seen.get(key)
    if (first !== undefined) return { first, again }
    seen.set(key, again)
  }
  return null
}

/** Longer than any participant's id, so nobody is meant; an index could not hold it either. */
const isParticipantId = (id: string) => id.length <= LIMITS.speakerId

/**
 * The participants an event mentions, each once: what `metadata.mentions` holds when it is an array of strings.
 * Any other shape is stored and means nothing.
 */
export function mentionsIn(metadata: JsonObject | null): readonly string[] {
  if (metadata === null || !Object.hasOwn(metadata, 'mentions')) return []
  const { mentions } = metadata
  if (!Array.isArray(mentions)) return []
  if (!mentions.every((mention): mention is string => typeof mention === 'string')) return []
  return [...new Set(mentions)].filter(isParticipantId)
}
