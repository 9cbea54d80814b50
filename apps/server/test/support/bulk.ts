import type { Connection } from '@collab-spaces/db'
import { query } from '@collab-spaces/testing'

const DEFAULT_SCOPE = '00000000-0000-4000-8000-000000000000'

export interface Bulk {
  readonly spaceId: string
  /** Of a member of the shared default scope. */
  readonly actorId: string
  /** The text of event `n`, as an SQL expression: words only, as pieces are not indexed. */
  readonly text: string
  /** The numbers of the events, both inclusive. They must follow on from what is there. */
  readonly from: number
  readonly to: number
  /** Seconds between one event and the next; the last one is now. */
  readonly every?: number
}

/** Many events at once, written as the log writes them but past the API. */
export async function writeBulk(connection: Connection, bulk: Bulk): Promise<void> {
  const { spaceId, actorId, text, from, to, every = 1 } = bulk
  await query(
    connection,
    `WITH said AS (
       SELECT n, ${text} AS text, gen_random_uuid() AS event_id,
         date_trunc('milliseconds', now()) - ($6 - n) * $7::float8 * interval '1 second' AS occurred_at
       FROM generate_series($4::int, $5::int) AS n
     ), written AS (
       INSERT INTO events (tenant_id, space_id, position, event_id, occurred_at, speaker_id, posted_by, wire,
         wire_version, terms)
       SELECT $1, $2, n, event_id, occurred_at, $3, $3, json_build_object('event_id', event_id, 'space_id', $2::text,
         'speaker_id', $3::text, 'speaker_name', 'Bulk', 'speaker_type', 'human', 'text', text, 'timestamp',
         to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'parent_event_id', NULL,
         'references', '[]'::json, 'thread_id', NULL, 'metadata', NULL, 'posted_by', $3::text),
         1, to_tsvector('spaces', text)
       FROM said RETURNING occurred_at
     )
     UPDATE spaces SET head = $6, last_event_at = (SELECT max(occurred_at) FROM written),
       started_at = least(started_at, (SELECT min(occurred_at) FROM written))
     WHERE tenant_id = $1 AND space_id = $2`,
    [DEFAULT_SCOPE, spaceId, actorId, from, to, to, every],
  )
}
