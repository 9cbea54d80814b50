import { conflict, DomainError, forbidden, tenantMoving, unknown } from './errors.js'
import type { JsonObject } from './json.js'
import { LIMITS } from './limits.js'
import { type GuardTrip, loopGuardTripped } from './loop-guard.js'
import { REDACTED_TEXT } from './redaction.js'
import { spaceNotActive } from './space.js'
import { codePoints } from './text.js'
import { workClaimLost } from './work-claim.js'

export const SPEAKER_TYPES = ['human', 'agent', 'transcript', 'system'] as const

/** Why a space did not accept an event or a proposal. */
export type WriteRefusal = NamedRefusal | GuardTrip

type NamedRefusal =
  | 'unknown_space'
  | 'unknown_thread'
  | 'unknown_parent'
  | 'inactive_space'
  | 'reused_idempotency_key'
  | 'stopped_agent'
  | 'moving_tenant'
  | 'claim_lost'

const REFUSALS: Readonly<Record<NamedRefusal, () => DomainError>> = {
  unknown_space: () => unknown('Space'),
  unknown_thread: () => unknown('Thread'),
  unknown_parent: () => unknown('Parent event'),
  inactive_space: spaceNotActive,
  reused_idempotency_key: () => conflict('Idempotency-Key was already used with a different request'),
  stopped_agent: () => forbidden('The agent is stopped'),
  moving_tenant: tenantMoving,
  claim_lost: workClaimLost,
}

export const writeError = (reason: WriteRefusal): DomainError =>
  typeof reason === 'string' ? REFUSALS[reason]() : loopGuardTripped(reason)

/** Reasons that concern the space, or its tenant, and not one of the events. */
const OF_THE_SPACE: ReadonlySet<WriteRefusal> = new Set(['unknown_space', 'inactive_space', 'moving_tenant'])
const isOfTheSpace = (reason: WriteRefusal) => typeof reason !== 'string' || OF_THE_SPACE.has(reason)

/**
 * The error for a refused batch, from the reasons against its events in their order, null for an event without one.
 * A reference to nothing is reported before anything else, and of several events the first.
 */
export function batchError(reasons: readonly (WriteRefusal | null)[]): DomainError {
  const refused = reasons.flatMap((reason, index) =>
    reason === null ? [] : [{ index, reason, error: writeError(reason) }],
  )
  const reported = refused.find(({ error }) => error.kind === 'unknown') ?? refused[0]
  if (!reported) throw new Error('a batch without a reason against it is not refused')
  const { index, reason, error } = reported
  return isOfTheSpace(reason) ? error : new DomainError(error.kind, `events.${index}: ${error.detail}`, error.fields)
}

/** The first event of a batch that repeats the key of an earlier one, and that earlier one. A key is for one event. */
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

/** A longer text is nobody's id, and too long for an index. */
const isParticipantId = (id: string) => codePoints(id) <= LIMITS.speakerId

/** The participants that an event mentions, each once: those of `metadata.mentions` that can be anybody. */
export const mentionsIn = (metadata: JsonObject | null): readonly string[] => namedIn(metadata).filter(isParticipantId)

/**
 * The different texts of `metadata.mentions`, if it is an array of strings. Anything else there is stored and has no
 * meaning.
 */
export function namedIn(metadata: JsonObject | null): readonly string[] {
  if (metadata === null || !Object.hasOwn(metadata, 'mentions')) return []
  const { mentions } = metadata
  if (!Array.isArray(mentions)) return []
  if (!mentions.every((mention): mention is string => typeof mention === 'string')) return []
  return [...new Set(mentions)]
}

/** The contents of an event. */
export interface Said {
  readonly text: string
  readonly references: readonly string[]
  readonly metadata: JsonObject | null
  /** When the operator redacted it; only a redacted event has it. */
  readonly redacted_at?: string
}

/**
 * An event without what it said: its place, its speaker and its time stay, and of its metadata the mentions of members.
 * The event that it replied to stays, too.
 */
export const redacted = (event: Said, mentions: readonly string[], now: Date): Said => ({
  ...event,
  text: REDACTED_TEXT,
  references: [],
  metadata: mentions.length === 0 ? null : { mentions: [...mentions] },
  redacted_at: now.toISOString(),
})
