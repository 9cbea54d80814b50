import { randomBytes } from 'node:crypto'
import { canAddress, type GuardScope, type SpaceStatus, type TenantId, type WriteRefusal } from '@collab-spaces/domain'
import { NONCE_BYTES } from '@collab-spaces/merkle'
import type pg from 'pg'
import { ADDRESS } from './address.js'
import { ACCEPTED_CLAIMS, CLAIM_IS_LOST, CLAIMS } from './fence.js'
import { JUDGED_BY_GUARDS, RUNS } from './loop-guard.js'
import type { LogEntry } from './read.js'

/** An event on its way into the log, as the statement reads it. */
export interface Append {
  readonly tenant_id: TenantId
  readonly space_id: string
  readonly event_id: string
  readonly speaker_id: string
  readonly thread_id: string | null
  readonly parent_event_id: string | null
  readonly posted_by: string
  /** Whether it is posted by a guest, who writes only in spaces that it was added to. */
  readonly by_guest: boolean
  /** Whether an agent posts it, by its credential: what the event says of its speaker is no proof. */
  readonly by_agent: boolean
  readonly mentions: readonly string[]
  /** Whether the space is a conversation. Undefined, and so not sent, for most. */
  readonly in_conversation: true | undefined
  /** The words by which the text can be found. */
  readonly words: string
  /** Pieces that the text can be found by, too; null for none. */
  readonly pieces: readonly string[] | null
  readonly idempotency_key: string | undefined
  /** In hexadecimal. */
  readonly request_hash: string | undefined
  /** The work claim that it is written with, if any. */
  readonly claim_id: string | undefined
  readonly fence: number | undefined
  /** The event's JSON before and after its timestamp, which the log sets. */
  readonly before_timestamp: string
  readonly after_timestamp: string
}

/** A mention is a row in three tables, which cost as much as so many characters of text. */
const MENTION_WEIGHT = 300
/** A reply addresses one actor more. */
const REPLY_WEIGHT = 300
/** In a thread, some actors are addressed, and its newest events are read. */
const THREAD_WEIGHT = 2_000
/** In a conversation, each other participant is addressed. */
const CONVERSATION_WEIGHT = 2_000
/** A piece is an entry of the index. */
const PIECE_WEIGHT = 10

/** Roughly how much work an append is for the database: as much as a text of so many characters. */
export const weightOf = (append: Append): number =>
  append.words.length +
  append.before_timestamp.length +
  append.after_timestamp.length +
  append.mentions.length * MENTION_WEIGHT +
  (append.parent_event_id === null ? 0 : REPLY_WEIGHT) +
  (append.thread_id === null ? 0 : THREAD_WEIGHT) +
  (append.in_conversation ? CONVERSATION_WEIGHT : 0) +
  (append.pieces?.length ?? 0) * PIECE_WEIGHT

/** A key that makes it safe to repeat a request, and the hash of the request. */
export interface Idempotency {
  readonly key: string
  readonly requestHash: Buffer
}

/** An event that was committed just now, as readers need it. */
export interface Committed extends LogEntry {
  readonly tenantId: TenantId
  readonly spaceId: string
  /** The actors whose inboxes it is in. */
  readonly addressed: readonly string[]
  /** Whether an agent posted it. */
  readonly byAgent: boolean
}

/** An event that is in the log, from this request or an earlier one with the same key. */
type Taken = ({ readonly kind: 'accepted' } & Committed) | { readonly kind: 'replayed'; readonly wire: string }

export type AppendOutcome = Taken | { readonly kind: 'refused'; readonly reason: WriteRefusal }

/** Why a space was passed over: somebody else holds it locked, or it has a loop guard, which the statement is not for. */
export type PassedOver = 'locked' | 'guarded'

/** In a group, also: the space was passed over, and nothing was done. */
export type GroupOutcome = AppendOutcome | { readonly kind: 'locked' } | { readonly kind: 'guarded' }

/** The outcome of a batch: all events are in the log, or none is, with the reason against each, if any. */
export type BatchOutcome =
  | { readonly kind: 'taken'; readonly events: readonly Taken[] }
  | { readonly kind: 'refused'; readonly reasons: readonly (WriteRefusal | null)[] }

interface OutcomeRow {
  /** Of the batch, counted from 1. */
  item: number
  outcome: 'accepted' | 'replayed' | PassedOver | 'loop_guard' | Extract<WriteRefusal, string>
  position: number | null
  timestamp: string | null
  wire: string | null
  /** Null if nobody is; missing where nobody can be. */
  addressed?: string[] | null
  /** Of the loop guard that refused. */
  guard_scope?: GuardScope
  guard_limit?: number
}

/** The parts of a statement beyond writing events. */
interface Variant {
  /** Whether it passes over spaces that are locked instead of waiting for them. */
  readonly skipsLocked: boolean
  /** Whether it is for spaces with a loop guard, too. */
  readonly guards: boolean
  /** Whether it is for events that can address somebody, too. */
  readonly addresses: boolean
  /** Whether it is for events that agents post, too. */
  readonly stops: boolean
  /** Whether it is for events that are written with a work claim, too. */
  readonly claims: boolean
}

/** The agents that post, as they are until the events are there. */
const AGENTS = `), agents AS MATERIALIZED (
  SELECT m.tenant_id, m.actor_id, m.is_stopped
  FROM memberships m
  WHERE (m.tenant_id, m.actor_id) IN (SELECT tenant_id, posted_by FROM asked WHERE by_agent)
  ORDER BY m.tenant_id, m.actor_id
  FOR SHARE
`

/**
 * Whether the space `l` of an event `a` is there for its poster, as `mayWrite` in `space/view.ts` says it. The participation
 * is as it is until the events are there, so whoever removes somebody waits for what is being written, and once that is
 * answered, nothing later is. Nothing is looked up of an open space, unless a guest posts.
 */
const IS_OUTSIDE = `(l.visibility <> 'open' OR a.by_guest) AND NOT EXISTS (
        SELECT FROM participants p
        WHERE p.tenant_id = a.tenant_id AND p.space_id = a.space_id AND p.actor_id = a.posted_by
        FOR KEY SHARE
      )`

const IS_STOPPED = `WHEN a.by_agent AND EXISTS (
        SELECT FROM agents g WHERE g.tenant_id = a.tenant_id AND g.actor_id = a.posted_by AND g.is_stopped
      ) THEN 'stopped_agent'`

/**
 * Checks, numbers and inserts events of any number of spaces in one atomic step. Each is accepted or refused on its
 * own, or, if $3 is true, none is accepted when one is refused.
 *
 * `locked` locks the space rows in sorted order, so that two statements cannot wait for each other, and returns each
 * row as the previous transaction left it. Spaces that somebody else has locked are waited for or passed over. Under that
 * lock, positions continue from `head`, which makes them gapless and in commit order. The time is also taken under the
 * lock, because the start of the transaction (`now()`) could go backwards in that order. All events of a space in one
 * statement have the same time.
 *
 * The tenant of a locked space is as it was when the statement began: whoever moves it marks it, and then waits until all
 * statements have ended that began before.
 *
 * `agents` looks in the same way at those that post: when a stop of one is answered, nothing of it is accepted any more.
 * `claims` does so for work claims: once somebody else has one, nothing that was written with it before is accepted.
 *
 * Everything else that is looked up (earlier uses of an idempotency key, threads, parents) is seen as of the start of
 * the statement. Threads and events leave only together with their space, so that is correct for them. For idempotency
 * keys the unique index decides, and on a violation the caller repeats the statement. Who is addressed as taking part in
 * a thread is seen as of then, too: whoever joins it at that moment gets what follows.
 *
 * Where no event can address anybody, none is by an agent, or none has a claim, the statement has nothing that would look.
 * Where it is not for loop guards, a space that has one is neither locked nor looked at, and passed over: what few need costs
 * the others nothing.
 *
 * The contents of an event stay in `asked` until inserted: each part hands on its number and what it is judged by.
 *
 * That a space has no loop guard is written so that PostgreSQL expects it of most. Of `IS NULL` in a table that nobody has
 * analysed yet it expects one row, and then compares each event with each space. Of those accepted it may well expect one:
 * it then looks spaces up by their key, and does not read all.
 */
const appendWith = ({ skipsLocked, guards, addresses, stops, claims }: Variant) => `
WITH asked AS MATERIALIZED (
  SELECT *, ordinality AS item FROM ROWS FROM (json_to_recordset($1::json) AS (
    tenant_id uuid, space_id text, event_id uuid, speaker_id text, thread_id uuid, parent_event_id uuid,
    posted_by text, mentions json, words text, pieces json, idempotency_key text, request_hash text,
    before_timestamp text, after_timestamp text, by_agent boolean, by_guest boolean${addresses ? ', in_conversation boolean' : ''}${claims ? ', claim_id uuid, fence bigint' : ''})) WITH ORDINALITY
), locked AS MATERIALIZED (
  SELECT s.tenant_id, s.space_id, s.status, s.visibility, s.head, t.status AS tenant_status${guards ? ', s.guard_total, s.guard_per_agent, s.agent_runs' : ''}
  FROM spaces s JOIN tenants t ON t.tenant_id = s.tenant_id
  WHERE (s.tenant_id, s.space_id) IN (SELECT tenant_id, space_id FROM asked)${guards ? '' : ' AND num_nonnulls(s.agent_runs) <> 1'}
  ORDER BY s.tenant_id, s.space_id
  FOR NO KEY UPDATE OF s ${skipsLocked ? 'SKIP LOCKED' : ''}
${stops ? AGENTS : ''}${claims ? CLAIMS : ''}), ${guards ? 'admissible' : 'judged'} AS MATERIALIZED (
  SELECT a.item, a.tenant_id, a.space_id, l.head, l.visibility,${guards ? ' a.posted_by, a.by_agent, l.guard_total, l.guard_per_agent, l.agent_runs,' : ''}
    earlier.wire AS earlier_wire,
    CASE
      WHEN l.space_id IS NULL THEN coalesce((
        SELECT ${guards ? "'locked'" : "CASE WHEN s.agent_runs IS NULL THEN 'locked' ELSE 'guarded' END"}
        FROM spaces s WHERE s.tenant_id = a.tenant_id AND s.space_id = a.space_id
      ), 'unknown_space')
      WHEN ${IS_OUTSIDE} THEN 'unknown_space'
      WHEN l.tenant_status NOT IN ('active', 'suspended') THEN 'moving_tenant'
      WHEN earlier.position IS NOT NULL THEN
        CASE WHEN coalesce(earlier.request_hash = decode(a.request_hash, 'hex'), true) THEN 'replayed'
        ELSE 'reused_idempotency_key' END
      ${stops ? IS_STOPPED : ''}
      WHEN a.thread_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM threads t
        WHERE t.tenant_id = a.tenant_id AND t.space_id = a.space_id AND t.thread_id = a.thread_id
      ) THEN 'unknown_thread'
      WHEN a.parent_event_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM events p
        WHERE p.tenant_id = a.tenant_id AND p.space_id = a.space_id AND p.event_id = a.parent_event_id
      ) THEN 'unknown_parent'
      ${claims ? CLAIM_IS_LOST : ''}WHEN l.status <> ALL ($2::text[]) THEN 'inactive_space'
      ELSE 'accepted'
    END AS outcome
  FROM asked a
  LEFT JOIN locked l ON l.tenant_id = a.tenant_id AND l.space_id = a.space_id
  LEFT JOIN events earlier ON a.idempotency_key IS NOT NULL
    AND earlier.tenant_id = a.tenant_id AND earlier.space_id = a.space_id
    AND earlier.posted_by = a.posted_by AND earlier.idempotency_key = a.idempotency_key
${guards ? JUDGED_BY_GUARDS : ''}), numbered AS MATERIALIZED (
  SELECT j.item, j.tenant_id, j.space_id, j.visibility,${guards ? ' j.posted_by, j.by_agent, j.humans,' : ''}
    j.head + row_number() OVER (PARTITION BY j.tenant_id, j.space_id ORDER BY j.item) AS position
  FROM judged j
  WHERE j.outcome = 'accepted'
    AND NOT ($3 AND EXISTS (SELECT FROM judged WHERE outcome NOT IN ('accepted', 'replayed')))
${guards ? RUNS : ''}), advanced AS (
  UPDATE spaces s
  SET head = n.head,${guards ? ' agent_runs = n.agent_runs,' : ''}
      last_event_at = greatest(date_trunc('milliseconds', clock_timestamp()), s.last_event_at, s.started_at)
  FROM ${guards ? 'runs' : '(SELECT tenant_id, space_id, max(position) AS head FROM numbered GROUP BY tenant_id, space_id)'} n
  WHERE s.tenant_id = n.tenant_id AND s.space_id = n.space_id
  RETURNING s.tenant_id, s.space_id, s.last_event_at AS moment,
    to_char(s.last_event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS timestamp
), inserted AS (
  INSERT INTO events (tenant_id, space_id, position, event_id, occurred_at, speaker_id, thread_id, posted_by,
    idempotency_key, request_hash, wire, terms, nonce)
  SELECT n.tenant_id, n.space_id, n.position, asked.event_id, a.moment, asked.speaker_id, asked.thread_id, asked.posted_by,
    asked.idempotency_key, decode(asked.request_hash, 'hex'), asked.before_timestamp || a.timestamp || asked.after_timestamp,
    to_tsvector('spaces', asked.words) || CASE WHEN asked.pieces IS NULL THEN ''::tsvector
      ELSE array_to_tsvector(ARRAY(SELECT json_array_elements_text(asked.pieces))) END,
    substring($4::bytea FROM (n.item::int - 1) * ${NONCE_BYTES} + 1 FOR ${NONCE_BYTES})
  FROM numbered n JOIN asked USING (item) JOIN advanced a ON a.tenant_id = n.tenant_id AND a.space_id = n.space_id
)${addresses ? ADDRESS : ''}${claims ? ACCEPTED_CLAIMS : ''}
SELECT j.item, j.outcome, n.position, a.timestamp, j.earlier_wire AS wire${guards ? ', j.guard_scope, j.guard_limit' : ''}
  ${addresses ? ', d.addressed' : ''}
FROM judged j
LEFT JOIN numbered n ON n.item = j.item
LEFT JOIN advanced a ON a.tenant_id = n.tenant_id AND a.space_id = n.space_id
${addresses ? 'LEFT JOIN (SELECT item, array_agg(actor_id) AS addressed FROM addressed GROUP BY item) d ON d.item = j.item' : ''}`

/**
 * How a group is written: `fast` passes over spaces that are locked or have a loop guard, `guarded` only those that are
 * locked, and `waiting` none.
 */
export type Way = 'fast' | 'guarded' | 'waiting'

const variantsOf = (name: string, variant: Pick<Variant, 'skipsLocked' | 'guards'>) => {
  const variantOf = (suffix: string, addresses: boolean, stops: boolean, claims = false) => ({
    name: name + suffix,
    text: appendWith({ ...variant, addresses, stops, claims }),
  })
  return {
    plain: variantOf('', false, false),
    addressing: variantOf('_addressing', true, false),
    stopping: variantOf('_stopping', false, true),
    all: variantOf('_all', true, true),
    claiming: variantOf('_claiming', true, true, true),
  }
}

/** The shortest statement that does all that a batch needs. */
function neededFor(batch: readonly Append[]): keyof ReturnType<typeof variantsOf> {
  if (batch.some(({ claim_id }) => claim_id !== undefined)) return 'claiming'
  const addresses = batch.some(canAddress)
  if (batch.some(({ by_agent }) => by_agent)) return addresses ? 'all' : 'stopping'
  return addresses ? 'addressing' : 'plain'
}

const STATEMENTS = {
  fast: variantsOf('append_fast', { skipsLocked: true, guards: false }),
  guarded: variantsOf('append_guarded', { skipsLocked: true, guards: true }),
  waiting: variantsOf('append', { skipsLocked: false, guards: true }),
} satisfies Readonly<Record<Way, object>>

/** The statement for appends, for the driver. */
export function appendStatement(
  batch: readonly Append[],
  accepting: readonly SpaceStatus[],
  { allOrNothing = false, way = 'waiting' }: { readonly allOrNothing?: boolean; readonly way?: Way } = {},
) {
  const { name, text } = STATEMENTS[way][neededFor(batch)]
  const nonces = randomBytes(batch.length * NONCE_BYTES)
  return { name, text, values: [JSON.stringify(batch), accepting, allOrNothing, nonces] }
}

/** Appends a group in one statement and one commit. Each event has its own outcome, in the order of the group. */
export async function appendEach(
  pool: pg.Pool,
  group: readonly Append[],
  accepting: readonly SpaceStatus[],
  way: Way,
): Promise<GroupOutcome[]> {
  return outcomesOf(group, await pool.query<OutcomeRow>(appendStatement(group, accepting, { way })))
}

/** Appends a batch in one statement and one commit, all of it or nothing. */
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
  return { kind: 'refused', reasons: outcomes.map((outcome) => (outcome.kind === 'refused' ? outcome.reason : null)) }
}

/** The events that were committed just now. The others were refused, or were already in the log. */
export const committedOf = (outcomes: readonly GroupOutcome[]): Committed[] =>
  outcomes.filter((outcome) => outcome.kind === 'accepted')

function outcomesOf(asked: readonly Append[], { rows }: pg.QueryResult<OutcomeRow>): GroupOutcome[] {
  const outcomes: GroupOutcome[] = new Array(asked.length)
  for (const row of rows) outcomes[row.item - 1] = outcomeOf(row, asked[row.item - 1] as Append)
  return outcomes
}

/** One for all, as most events address nobody. */
const NOBODY: readonly string[] = []

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
        addressed: row.addressed ?? NOBODY,
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
