import { type GuardScope, type SpaceStatus, type TenantId, unavailable, type WriteRefusal } from '@collab-spaces/domain'
import type pg from 'pg'
import { type Append, type AppendMode, appendStatement } from './append-statement.js'
import type { LogEntry } from './read.js'

/** The cost of a mention, a row in three tables, in characters of text. */
const MENTION_WEIGHT = 300
/** A reply addresses one more actor. */
const REPLY_WEIGHT = 300
/** A thread addresses several actors, and its newest events are read. */
const THREAD_WEIGHT = 2_000
/** A conversation addresses each other participant. */
const CONVERSATION_WEIGHT = 2_000
/** A file is a row that is locked, judged and updated. */
const FILE_WEIGHT = 300
/** A piece is an entry of the search index. */
const PIECE_WEIGHT = 10

/** Returns the approximate cost of an append in the database, in characters of text. */
export const weightOf = (append: Append): number =>
  append.words.length +
  append.before_timestamp.length +
  append.after_timestamp.length +
  append.mentions.length * MENTION_WEIGHT +
  (append.parent_event_id === null ? 0 : REPLY_WEIGHT) +
  (append.thread_id === null ? 0 : THREAD_WEIGHT) +
  (append.in_conversation ? CONVERSATION_WEIGHT : 0) +
  (append.file_ids?.length ?? 0) * FILE_WEIGHT +
  (append.pieces?.length ?? 0) * PIECE_WEIGHT

/** An idempotency key and the hash of its request. */
export interface Idempotency {
  readonly key: string
  readonly requestHash: Buffer
}

/** A committed event, as readers need it. */
export interface CommittedEvent extends LogEntry {
  readonly tenantId: TenantId
  readonly spaceId: string
  /** The actors that it addresses. */
  readonly addressed: readonly string[]
  /** Whether an agent posted it. */
  readonly byAgent: boolean
}

/** An event in the log, from this request or an earlier one with the same idempotency key. */
type AcceptedAppend =
  | ({ readonly kind: 'accepted' } & CommittedEvent)
  | { readonly kind: 'replayed'; readonly wire: string }

export type AppendOutcome = AcceptedAppend | { readonly kind: 'refused'; readonly reason: WriteRefusal }

/** Why a space was skipped: another transaction holds its lock, or it has a loop guard and the statement does not handle those. */
export type SkipReason = 'locked' | 'guarded'

/** In a group, a space may also be skipped: nothing was written. */
export type GroupOutcome = AppendOutcome | { readonly kind: 'locked' } | { readonly kind: 'guarded' }

/** The outcome of a batch: all events are in the log, or none is, with the reason against each, if any. */
export type BatchOutcome =
  | { readonly kind: 'taken'; readonly events: readonly AcceptedAppend[] }
  | { readonly kind: 'refused'; readonly reasons: readonly (WriteRefusal | null)[] }

interface OutcomeRow {
  /** The index in the batch, from 1. */
  item: number
  outcome: 'accepted' | 'replayed' | SkipReason | 'loop_guard' | Extract<WriteRefusal, string>
  position: number | null
  timestamp: string | null
  wire: string | null
  /** Null for no actor; missing in the short statement. */
  addressed?: string[] | null
  /** The loop guard that refused. */
  guard_scope?: GuardScope
  guard_limit?: number
}

/** Appends a group in one statement and one commit. Each event has its own outcome, in the order of the group. */
export async function appendEach(
  pool: pg.Pool,
  group: readonly Append[],
  accepting: readonly SpaceStatus[],
  mode: AppendMode,
): Promise<GroupOutcome[]> {
  return outcomesOf(group, await pool.query<OutcomeRow>(appendStatement(group, accepting, { mode })))
}

/** Appends a batch in one statement and one commit, all or nothing. */
export async function appendBatch(
  pool: pg.Pool,
  batch: readonly Append[],
  accepting: readonly SpaceStatus[],
): Promise<BatchOutcome> {
  const outcomes = outcomesOf(
    batch,
    await pool.query<OutcomeRow>(appendStatement(batch, accepting, { allOrNothing: true })),
  )
  const events = outcomes.filter((outcome) => outcome.kind === 'accepted' || outcome.kind === 'replayed')
  if (events.length === batch.length) return { kind: 'taken', events }
  // A redaction was committed meanwhile.
  if (outcomes.some(({ kind }) => kind === 'locked')) throw unavailable()
  return { kind: 'refused', reasons: outcomes.map((outcome) => (outcome.kind === 'refused' ? outcome.reason : null)) }
}

/** Returns the events that this statement committed; the others were refused or already in the log. */
export const committedOf = (outcomes: readonly GroupOutcome[]): CommittedEvent[] =>
  outcomes.filter((outcome) => outcome.kind === 'accepted')

function outcomesOf(appends: readonly Append[], { rows }: pg.QueryResult<OutcomeRow>): GroupOutcome[] {
  const outcomes: GroupOutcome[] = new Array(appends.length)
  for (const row of rows) outcomes[row.item - 1] = outcomeOf(row, appends[row.item - 1] as Append)
  return outcomes
}

/** Shared, as most events address no actor. */
const NO_ACTORS: readonly string[] = []

function outcomeOf(row: OutcomeRow, append: Append): GroupOutcome {
  switch (row.outcome) {
    case 'accepted':
      return {
        kind: 'accepted',
        tenantId: append.tenant_id,
        spaceId: append.space_id,
        eventId: append.event_id,
        position: row.position as number,
        wire: append.before_timestamp + row.timestamp + append.after_timestamp,
        addressed: row.addressed ?? NO_ACTORS,
        byAgent: append.by_agent,
      }
    case 'replayed':
      return { kind: 'replayed', wire: row.wire as string }
    case 'locked':
    case 'guarded':
      return { kind: row.outcome }
    case 'loop_guard':
      return {
        kind: 'refused',
        reason: { scope: row.guard_scope as GuardScope, limit: row.guard_limit as number },
      }
    default:
      return { kind: 'refused', reason: row.outcome }
  }
}
