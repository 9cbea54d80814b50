import type { Connection } from '@collab-spaces/db'
import { type Actor, query } from '@collab-spaces/testing'

/** Puts a long history into an empty space by one statement, each event with a text of `size` characters. */
export async function fillSpace(
  connection: Connection,
  space: string,
  author: Actor,
  count: number,
  size = 1,
): Promise<void> {
  const spaceId = space.replace('/api/spaces/', '')
  await query(
    connection,
    `INSERT INTO events (tenant_id, space_id, position, event_id, occurred_at, speaker_id, posted_by, wire, wire_version)
     SELECT s.tenant_id, s.space_id, n, e.id, s.started_at, $2, $2, json_build_object(
         'event_id', e.id, 'space_id', s.space_id, 'speaker_id', $2::text, 'speaker_name', 'Ada',
         'speaker_type', 'human', 'text', n || ' ' || repeat('x', $4::int),
         'timestamp', to_char(s.started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
         'parent_event_id', null, 'references', '[]'::json, 'thread_id', null, 'metadata', null, 'posted_by', $2::text
       )::text, 1
     FROM spaces s, generate_series(1, $3::int) n, LATERAL (SELECT gen_random_uuid() AS id WHERE n > 0) e
     WHERE s.space_id = $1`,
    [spaceId, author.actor_id, count, size],
  )
  await query(connection, 'UPDATE spaces SET head = $2, last_event_at = started_at WHERE space_id = $1', [
    spaceId,
    count,
  ])
}
