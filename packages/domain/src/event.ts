import { conflict, DomainError, forbidden, invalid, tenantMoving, unknown } from './errors.js'
import { type EventFile, fileAttached, fileDeleted, unknownFile } from './file.js'
import type { JsonObject } from './json.js'
import { LIMITS } from './limits.js'
import { type GuardTrip, loopGuardTripped } from './loop-guard.js'
import { findMentions, type NameIndex } from './mention.js'
import { REDACTED_TEXT } from './redaction.js'
import type { Revising } from './revision.js'
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
  | 'retracted_event'
  | 'redacted_event'
  | 'unknown_file'
  | 'attached_file'
  | 'deleted_file'

const REFUSALS: Readonly<Record<NamedRefusal, () => DomainError>> = {
  unknown_space: () => unknown('Space'),
  unknown_thread: () => unknown('Thread'),
  unknown_parent: () => unknown('Parent event'),
  inactive_space: spaceNotActive,
  reused_idempotency_key: () => conflict('Idempotency-Key was already used with a different request'),
  stopped_agent: () => forbidden('The agent is stopped'),
  moving_tenant: tenantMoving,
  claim_lost: workClaimLost,
  retracted_event: () => conflict('The event is retracted: send a new event'),
  redacted_event: () => conflict('The event is redacted: send a new event'),
  unknown_file: unknownFile,
  attached_file: fileAttached,
  deleted_file: fileDeleted,
}

export const writeError = (reason: WriteRefusal): DomainError =>
  typeof reason === 'string' ? REFUSALS[reason]() : loopGuardTripped(reason)

/** Throws unless an actor may correct or retract an event: its own, which is no retraction. */
export function requireMayRevise(event: Revising & { readonly posted_by: string }, actorId: string): void {
  if (event.posted_by !== actorId) throw forbidden('Only the poster of an event may correct or retract it')
  if (event.retracts !== undefined) throw conflict('A retraction cannot be corrected or retracted: send a new event')
}

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

/** No actor has a longer ID, and it would be too long for an index. */
const isParticipantId = (id: string) => codePoints(id) <= LIMITS.speakerId

/** The participants that an event mentions, each once: those of `metadata.mentions` that can be IDs. */
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

/**
 * Adds to the metadata of an event the actors that its text mentions: each that is the only one a name fits, after those
 * in the metadata. 400 if these become too many, or if `mentions` is something else.
 */
export function withMentionsFrom(metadata: JsonObject | null, text: string, names: NameIndex): JsonObject | null {
  const found = findMentions(text, names).flatMap(({ people: [one, another] }) => (one && !another ? one.id : []))
  if (found.length === 0) return metadata
  if (metadata !== null && Object.hasOwn(metadata, 'mentions') && !isListOfStrings(metadata.mentions)) {
    throw invalid('metadata.mentions', 'must be an array of strings, as mentions are added from the text')
  }
  const mentions = [...new Set([...mentionsIn(metadata), ...found])]
  if (mentions.length > LIMITS.mentions) {
    throw invalid('metadata.mentions', `must name at most ${LIMITS.mentions} participants, with those in the text`)
  }
  return { ...metadata, mentions }
}

const isListOfStrings = (value: unknown) => Array.isArray(value) && value.every((entry) => typeof entry === 'string')

/** The contents of an event, and who said it. */
export interface EventContent {
  readonly speaker_id: string
  readonly speaker_name: string
  readonly speaker_type: string
  readonly posted_by: string
  readonly posted_by_name: string
  readonly text: string
  readonly references: readonly string[]
  readonly metadata: JsonObject | null
  /** Only an event with files has it. */
  readonly files?: readonly EventFile[]
  /** When the operator redacted it; only a redacted event has it. */
  readonly redacted_at?: string
}

/** Picks from an event the ids that may be those of members: of its speaker, and of its mentions. */
export const idsIn = ({ speaker_id, metadata }: EventContent): readonly string[] => [
  speaker_id,
  ...mentionsIn(metadata),
]

/**
 * Returns an event without what its poster wrote. Its place, its poster and its time stay, what it replies to, and the
 * members that it names by their ids.
 */
export function redacted(event: EventContent, isMember: (id: string) => boolean, now: Date): EventContent {
  const mentions = mentionsIn(event.metadata).filter(isMember)
  const { files: _, ...rest } = event
  return {
    ...rest,
    speaker_id: isMember(event.speaker_id) ? event.speaker_id : REDACTED_TEXT,
    speaker_name: isOwnName(event) ? event.speaker_name : REDACTED_TEXT,
    speaker_type: isSpeakerType(event.speaker_type) ? event.speaker_type : REDACTED_TEXT,
    text: REDACTED_TEXT,
    references: [],
    metadata: mentions.length === 0 ? null : { mentions },
    redacted_at: now.toISOString(),
  }
}

/** Any other name of a speaker is a text of the poster. */
const isOwnName = ({ speaker_id, speaker_name, posted_by, posted_by_name }: EventContent): boolean =>
  speaker_id === posted_by && speaker_name === posted_by_name

const isSpeakerType = (type: string): boolean => (SPEAKER_TYPES as readonly string[]).includes(type)
