import { randomBytes } from 'node:crypto'
import { canAddress, REDACTED_TEXT, type SpaceStatus, type TenantId } from '@collab-spaces/domain'
import { NONCE_BYTES } from '@collab-spaces/merkle'
import { IN_SERVICE } from '../access/in-service.js'
import { ADDRESS } from './address.js'
import { JUDGED_BY_GUARDS, RUNS } from './loop-guard.js'
import { IS_UNREVISABLE, REVISED, REVISING, REVISIONS } from './revision.js'

/** An event to append, as the statement reads it. */
export interface Append {
  readonly tenant_id: TenantId
  readonly space_id: string
  readonly event_id: string
  readonly speaker_id: string
  readonly thread_id: string | null
  readonly parent_event_id: string | null
  readonly posted_by: string
  /** Whether a guest posts it, who writes only in spaces that it was added to. */
  readonly by_guest: boolean
  /** Whether an agent posts it, by its credential: the attribution of the event is no proof. */
  readonly by_agent: boolean
  readonly mentions: readonly string[]
  /** Whether the space is a conversation; undefined otherwise, which keeps it out of the JSON. */
  readonly in_conversation: true | undefined
  /** The text of the search index. */
  readonly words: string
  /** Further terms of the search index; null for none. */
  readonly pieces: readonly string[] | null
  readonly idempotency_key: string | undefined
  /** In hexadecimal. */
  readonly request_hash: string | undefined
  /** The work claim that it names, if any. */
  readonly claim_id: string | undefined
  readonly fence: number | undefined
  /** The position of the event that it corrects or retracts, if any. */
  readonly revises: number | undefined
  readonly is_retraction: boolean | undefined
  /** The files that it names, if any. */
  readonly file_ids: readonly string[] | undefined
  /** The decision whose thread it starts, if any, and the subject. That thread has the id of the decision. */
  readonly decision_id: string | undefined
  readonly subject: string | undefined
  /** The event's JSON before and after its timestamp, which the statement sets. */
  readonly before_timestamp: string
  readonly after_timestamp: string
}

/**
 * The statement that appends: it checks, numbers and inserts events of any number of spaces in one atomic step. Each event
 * is accepted or refused on its own or, if $3 is true, all are accepted or none. $1 are the events in JSON, $2 the statuses
 * of spaces that accept events, $4 the nonces, in the order of the events.
 *
 * Locks are taken in the order of the keys, so that two statements cannot deadlock:
 *
 * - Spaces, `FOR NO KEY UPDATE`. Positions continue from `head` under this lock, which makes them gapless and in commit
 *   order. The time is read under it too, as `now()`, the start of the transaction, could go backwards in that order.
 * - Posting agents, `FOR SHARE`, work claims and files, `FOR NO KEY UPDATE`: a stop, a takeover or a deletion waits for the
 *   events that are being written, and once it is acknowledged, nothing later is accepted.
 * - Participations of posters in private spaces, `FOR KEY SHARE`, for the same reason.
 *
 * Everything else is read from the snapshot of the statement, for each event by itself: LIMIT and OFFSET keep the planner from
 * reading all events or threads of a space while there are no statistics. Threads and events are deleted only together with
 * their space. Two uses of an idempotency key meet in the unique index; the caller repeats the statement. No two events of
 * a statement name one file. A move marks the tenant and then waits for all statements that began before. An actor that
 * joins a thread concurrently is addressed from the next event on.
 */

interface Variant {
  /** Skips rows of spaces that are locked instead of waiting for them. */
  readonly skipsLocked: boolean
  /** Also appends to spaces with a loop guard, instead of skipping them. */
  readonly guards: boolean
  /** Also takes events that address actors, revise an event, or name a work claim or files. */
  readonly isFull: boolean
}

const COLUMNS = `
    tenant_id uuid, space_id text, event_id uuid, speaker_id text, thread_id uuid, parent_event_id uuid,
    posted_by text, mentions json, words text, pieces json, idempotency_key text, request_hash text,
    before_timestamp text, after_timestamp text, by_agent boolean, by_guest boolean`

/** The work claims that events name. */
const CLAIMS = `
), claims AS MATERIALIZED (
  SELECT c.tenant_id, c.space_id, c.claim_id, c.fence, c.holder_id, c.expires_at
  FROM work_claims c
  WHERE (c.tenant_id, c.space_id, c.claim_id) IN (SELECT tenant_id, space_id, claim_id FROM asked WHERE claim_id IS NOT NULL)
  ORDER BY c.tenant_id, c.space_id, c.claim_id
  FOR NO KEY UPDATE`

const IS_CLAIM_LOST = `
      WHEN a.claim_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM claims c
        WHERE c.tenant_id = a.tenant_id AND c.space_id = a.space_id AND c.claim_id = a.claim_id AND c.fence = a.fence
          AND c.holder_id = a.posted_by AND c.expires_at > clock_timestamp()
      ) THEN 'claim_lost'`

/** The files that events name. */
const FILES = `
), named_files AS MATERIALIZED (
  SELECT f.tenant_id, f.space_id, f.file_id, f.uploaded_by, f.event_id, f.content_id
  FROM files f
  WHERE (f.tenant_id, f.space_id, f.file_id) IN (
    SELECT a.tenant_id, a.space_id, x.file_id FROM asked a CROSS JOIN LATERAL json_array_elements_text(a.file_ids) AS x(file_id)
  )
  ORDER BY f.tenant_id, f.space_id, f.file_id
  FOR NO KEY UPDATE`

const isAnyFile = (condition: string) => `
      WHEN a.file_ids IS NOT NULL AND EXISTS (
        SELECT FROM json_array_elements_text(a.file_ids) AS x(file_id)
        LEFT JOIN named_files f ON f.tenant_id = a.tenant_id AND f.space_id = a.space_id AND f.file_id = x.file_id
          AND f.uploaded_by = a.posted_by
        WHERE ${condition}
      )`

const WRONG_FILES = `${isAnyFile('f.file_id IS NULL')} THEN 'unknown_file'${isAnyFile('f.event_id IS NOT NULL')} THEN 'attached_file'${isAnyFile('f.content_id IS NULL')} THEN 'deleted_file'`

const ATTACHED_FILES = `
), attached_files AS (
  UPDATE files f SET event_id = asked.event_id
  FROM numbered n JOIN asked USING (item) CROSS JOIN LATERAL json_array_elements_text(asked.file_ids) AS x(file_id)
  WHERE f.tenant_id = n.tenant_id AND f.space_id = n.space_id AND f.file_id = x.file_id`

const IS_NOWHERE = `
      WHEN a.thread_id IS NOT NULL AND a.decision_id IS NULL AND NOT EXISTS (
        SELECT FROM threads t
        WHERE t.tenant_id = a.tenant_id AND t.space_id = a.space_id AND t.thread_id = a.thread_id OFFSET 0
      ) THEN 'unknown_thread'
      WHEN a.parent_event_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM events p
        WHERE p.tenant_id = a.tenant_id AND p.space_id = a.space_id AND p.event_id = a.parent_event_id OFFSET 0
      ) THEN 'unknown_parent'`

/** Another event may start the same thread, and the decision be redacted, concurrently. */
const STARTED_THREADS = `
), started_threads AS (
  INSERT INTO threads (tenant_id, space_id, thread_id, decision_id, subject, posted_by, created_at)
  SELECT n.tenant_id, n.space_id, asked.thread_id, asked.decision_id, coalesce((SELECT d.text FROM decisions d
    WHERE d.tenant_id = n.tenant_id AND d.space_id = n.space_id AND d.decision_id = asked.decision_id
      AND d.text = '${REDACTED_TEXT}'), asked.subject), asked.posted_by, a.moment
  FROM numbered n JOIN asked USING (item) JOIN advanced a ON a.tenant_id = n.tenant_id AND a.space_id = n.space_id
  WHERE asked.decision_id IS NOT NULL
  ON CONFLICT DO NOTHING`

/** The first write with a claim that was handed over accepts the claim. */
const ACCEPTED_CLAIMS = `
), accepted_claims AS (
  UPDATE work_claims c SET is_accepted = true
  FROM numbered n JOIN asked a ON a.item = n.item
  WHERE c.tenant_id = n.tenant_id AND c.space_id = n.space_id AND c.claim_id = a.claim_id AND NOT c.is_accepted`

const HEADS = '(SELECT tenant_id, space_id, max(position) AS head FROM numbered GROUP BY tenant_id, space_id)'

const FULL_COLUMNS = `,
    in_conversation boolean, claim_id uuid, fence bigint, revises bigint, is_retraction boolean, file_ids json,
    decision_id uuid, subject text`

const textOf = ({ skipsLocked, guards, isFull }: Variant) => `
WITH asked AS MATERIALIZED (
  -- The only part that carries the contents of the events: the others pass on their numbers.
  SELECT *, ordinality AS item
  FROM ROWS FROM (json_to_recordset($1::json) AS (${COLUMNS}${isFull ? FULL_COLUMNS : ''}
  )) WITH ORDINALITY
), locked AS MATERIALIZED (
  -- Returns each row as the previous transaction left it.
  SELECT s.tenant_id, s.space_id, s.status, s.visibility, s.head, t.status AS tenant_status${isFull ? ', s.redactions' : ''}${guards ? ', s.guard_total, s.guard_per_agent, s.agent_runs' : ''}
  FROM spaces s JOIN tenants t ON t.tenant_id = s.tenant_id
  WHERE (s.tenant_id, s.space_id) IN (SELECT tenant_id, space_id FROM asked)
    -- The space has no loop guard. \`IS NULL\` would make the planner estimate one row on an unanalyzed table.
    ${guards ? '' : 'AND num_nonnulls(s.agent_runs) <> 1'}
  ORDER BY s.tenant_id, s.space_id
  FOR NO KEY UPDATE OF s ${skipsLocked ? 'SKIP LOCKED' : ''}
), agents AS MATERIALIZED (
  SELECT m.tenant_id, m.actor_id, m.is_stopped
  FROM memberships m
  WHERE (m.tenant_id, m.actor_id) IN (SELECT tenant_id, posted_by FROM asked WHERE by_agent)
  ORDER BY m.tenant_id, m.actor_id
  FOR SHARE${isFull ? CLAIMS + FILES : ''}
), ${guards ? 'admissible' : 'judged'} AS MATERIALIZED (
  SELECT a.item, a.tenant_id, a.space_id, l.head, l.visibility,${guards ? ' a.posted_by, a.by_agent, l.guard_total, l.guard_per_agent, l.agent_runs,' : ''}
    earlier.wire AS earlier_wire,
    CASE
      -- Not locked: skipped, or unknown.
      WHEN l.space_id IS NULL THEN coalesce((
        SELECT ${guards ? "'locked'" : "CASE WHEN s.agent_runs IS NULL THEN 'locked' ELSE 'guarded' END"}
        FROM spaces s WHERE s.tenant_id = a.tenant_id AND s.space_id = a.space_id
      ), 'unknown_space')
      -- As \`mayWrite\` (access/view.ts) decides it. Open spaces need no lookup unless a guest posts.
      WHEN (l.visibility <> 'open' OR a.by_guest) AND NOT EXISTS (
        SELECT FROM participants p
        WHERE p.tenant_id = a.tenant_id AND p.space_id = a.space_id AND p.actor_id = a.posted_by
        FOR KEY SHARE
      ) THEN 'unknown_space'
      WHEN l.tenant_status NOT ${IN_SERVICE} THEN 'moving_tenant'
      WHEN earlier.position IS NOT NULL THEN
        CASE WHEN coalesce(earlier.request_hash = decode(a.request_hash, 'hex'), true) THEN 'replayed'
        ELSE 'reused_idempotency_key' END
      WHEN a.by_agent AND EXISTS (
        SELECT FROM agents g WHERE g.tenant_id = a.tenant_id AND g.actor_id = a.posted_by AND g.is_stopped
      ) THEN 'stopped_agent'${isFull ? IS_NOWHERE + IS_UNREVISABLE + IS_CLAIM_LOST + WRONG_FILES : ''}
      WHEN l.status <> ALL ($2::text[]) THEN 'inactive_space'
      ELSE 'accepted'
    END AS outcome
  FROM asked a
  LEFT JOIN locked l ON l.tenant_id = a.tenant_id AND l.space_id = a.space_id
  LEFT JOIN LATERAL (
    SELECT e.position, e.request_hash, e.wire FROM events e
    WHERE a.idempotency_key IS NOT NULL AND e.tenant_id = a.tenant_id AND e.space_id = a.space_id
      AND e.posted_by = a.posted_by AND e.idempotency_key = a.idempotency_key LIMIT 1
  ) earlier ON true
${guards ? JUDGED_BY_GUARDS : ''}), numbered AS MATERIALIZED (
  SELECT j.item, j.tenant_id, j.space_id, j.visibility,${guards ? ' j.posted_by, j.by_agent, j.humans,' : ''}
    j.head + row_number() OVER (PARTITION BY j.tenant_id, j.space_id ORDER BY j.item) AS position
  FROM judged j
  WHERE j.outcome = 'accepted'
    AND NOT ($3 AND EXISTS (SELECT FROM judged WHERE outcome NOT IN ('accepted', 'replayed')))
${guards ? RUNS : ''}${isFull ? REVISING : ''}), advanced AS (
  -- All events of a space in one statement have the same time.
  UPDATE spaces s
  SET head = n.head,${isFull ? ' revisions = s.revisions + coalesce(n.revisions, 0),' : ''}${guards ? ' agent_runs = n.agent_runs,' : ''}
      last_event_at = greatest(date_trunc('milliseconds', clock_timestamp()), s.last_event_at, s.started_at)
  FROM (SELECT * FROM ${guards ? 'runs' : HEADS} h ${isFull ? REVISIONS : ''}) n
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
${isFull ? REVISED + ADDRESS + ACCEPTED_CLAIMS + ATTACHED_FILES + STARTED_THREADS : ''})
SELECT j.item, j.outcome, n.position, a.timestamp, j.earlier_wire AS wire${guards ? ', j.guard_scope, j.guard_limit' : ''}${isFull ? ', d.addressed' : ''}
FROM judged j
LEFT JOIN numbered n ON n.item = j.item
LEFT JOIN advanced a ON a.tenant_id = n.tenant_id AND a.space_id = n.space_id
${isFull ? 'LEFT JOIN (SELECT item, array_agg(actor_id) AS addressed FROM addressed GROUP BY item) d ON d.item = j.item' : ''}`

/**
 * How a statement treats spaces: `fast` skips those that are locked or have a loop guard, `guarded` skips those that are
 * locked, and `waiting` skips none.
 */
export type AppendMode = 'fast' | 'guarded' | 'waiting'

const statementsOf = (name: string, mode: Pick<Variant, 'skipsLocked' | 'guards'>) => ({
  short: { name, text: textOf({ ...mode, isFull: false }) },
  full: { name: `${name}_full`, text: textOf({ ...mode, isFull: true }) },
})

/** Prepared once per connection. `docs/performance.md` has what each of the six saves. */
const STATEMENTS = {
  fast: statementsOf('append_fast', { skipsLocked: true, guards: false }),
  guarded: statementsOf('append_guarded', { skipsLocked: true, guards: true }),
  waiting: statementsOf('append', { skipsLocked: false, guards: true }),
} satisfies Readonly<Record<AppendMode, object>>

const isForFull = (append: Append) =>
  canAddress(append) || append.claim_id !== undefined || append.revises !== undefined || append.file_ids !== undefined

/** Returns the statement for appends, for the driver. */
export function appendStatement(
  batch: readonly Append[],
  accepting: readonly SpaceStatus[],
  { allOrNothing = false, mode = 'waiting' }: { readonly allOrNothing?: boolean; readonly mode?: AppendMode } = {},
) {
  const { name, text } = STATEMENTS[mode][batch.some(isForFull) ? 'full' : 'short']
  const nonces = randomBytes(batch.length * NONCE_BYTES)
  return { name, text, values: [JSON.stringify(batch), accepting, allOrNothing, nonces] }
}
