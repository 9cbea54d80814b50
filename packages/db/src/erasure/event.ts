import { mentionsIn, redacted, type Said, type Scope } from '@collab-spaces/domain'
import type pg from 'pg'
import { leafHashOf, type Redact } from './place.js'

export interface StoredEvent {
  readonly position: number
  readonly wire: string
}

/**
 * Erases what an event says: from its row and its terms in the search index. Its place, its speaker and its time stay,
 * and so do mentions of members, who may be waiting.
 */
export const redactEvent: Redact = async (client, { scope, spaceId, subjectId }, now) => {
  const { rows } = await client.query<StoredEvent>(
    'SELECT position, wire FROM events WHERE tenant_id = $1 AND space_id = $2 AND event_id = $3',
    [scope, spaceId, subjectId],
  )
  const [found] = rows
  if (!found) return null
  const hashes = await redactEvents(client, scope, spaceId, rows, now)
  await forgetWords(client, [scope, spaceId, subjectId, found.position])
  const leafHash = hashes.get(found.position)
  return leafHash ? { isNew: true, leafHash } : { isNew: false }
}

/** Erases what was said about working on the event, and why it was declined. */
async function forgetWords(client: pg.Client, place: readonly [string, string, string, number]): Promise<void> {
  const [scope, spaceId, eventId, position] = place
  await client.query(
    `UPDATE work_claims SET note = NULL, progress = NULL
     WHERE tenant_id = $1 AND space_id = $2 AND subject = 'event:' || $3::uuid`,
    [scope, spaceId, eventId],
  )
  await client.query(
    `UPDATE done_marks d SET reason = NULL
     WHERE tenant_id = $1 AND space_id = $2 AND position >= $3 AND reason IS NOT NULL AND NOT EXISTS (
       SELECT FROM done_marks e WHERE e.tenant_id = $1 AND e.actor_id = d.actor_id AND e.space_id = $2
         AND e.position >= $3 AND e.position < d.position)`,
    [scope, spaceId, position],
  )
}

/** Redacts any events of a locked space. Returns the hashes of those that had something left, by their positions. */
export async function redactEvents(
  client: pg.Client,
  scope: Scope,
  spaceId: string,
  stored: readonly StoredEvent[],
  now: Date,
): Promise<Map<number, Buffer>> {
  const left = stored
    .map(({ position, wire }) => ({ position, wire, event: JSON.parse(wire) as Said }))
    .filter(({ event }) => event.redacted_at === undefined)
  if (left.length === 0) return new Map()

  const named = new Map(left.map(({ position, event }) => [position, mentionsIn(event.metadata)]))
  const members = await membersAmong(client, scope, [...new Set([...named.values()].flat())])
  const place = [scope, spaceId]
  const kept = (position: number) => (named.get(position) ?? []).filter((id) => members.has(id))
  const wires = left.map(({ position, event }) => JSON.stringify(redacted(event, kept(position), now)))
  await client.query(
    `UPDATE events e SET wire = r.wire, terms = NULL FROM unnest($3::int8[], $4::text[]) AS r(position, wire)
     WHERE e.tenant_id = $1 AND e.space_id = $2 AND e.position = r.position`,
    [...place, left.map(({ position }) => position), wires],
  )
  const lost = [...named].flatMap(([position, ids]) =>
    ids.filter((id) => !members.has(id)).map((id) => ({ position, id })),
  )
  await client.query(
    `DELETE FROM mentions m USING unnest($3::int8[], $4::text[]) AS l(position, participant_id)
     WHERE m.tenant_id = $1 AND m.space_id = $2 AND m.position = l.position AND m.participant_id = l.participant_id`,
    [...place, lost.map(({ position }) => position), lost.map(({ id }) => id)],
  )
  return new Map(left.map(({ position, wire }) => [position, leafHashOf(wire)]))
}

/** Mentions may be any text; only those of members are no part of what was said. */
async function membersAmong(client: pg.Client, scope: Scope, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT actor_id AS id FROM memberships WHERE tenant_id = $1 AND actor_id = ANY ($2)',
    [scope, ids],
  )
  return new Set(rows.map(({ id }) => id))
}
