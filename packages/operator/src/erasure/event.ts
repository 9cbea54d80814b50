import { LEAF } from '@collab-spaces/db'
import { type EventContent, idsIn, mentionsIn, redacted, type TenantId } from '@collab-spaces/domain'
import type pg from 'pg'
import { redactFilesOf } from './content.js'
import type { Redact } from './place.js'
import { redactClaimsOn } from './row.js'

export interface StoredEvent {
  readonly position: number
  readonly eventId: string
  readonly wire: string
  /** Its leaf in the Merkle tree of the history. */
  readonly leafHash: Buffer
}

/** The columns of a stored event, for a row `e`. */
export const STORED_EVENT = `e.position, e.event_id AS "eventId", e.wire, ${LEAF} AS "leafHash"`

/**
 * Erases the content of an event: from its row, its files, the search index, and the claims on it. Its place, its poster
 * and its time stay, and so do mentions of members, who may be waiting.
 */
export const redactEvent: Redact = async (client, { tenantId, spaceId, subjectId }, now) => {
  const { rows } = await client.query<StoredEvent>(
    `SELECT ${STORED_EVENT} FROM events e WHERE tenant_id = $1 AND space_id = $2 AND event_id = $3`,
    [tenantId, spaceId, subjectId],
  )
  const [found] = rows
  if (!found) return null
  const hashes = await redactEvents(client, tenantId, spaceId, rows, now)
  const leafHash = hashes.get(found.position)
  return leafHash ? { isNew: true, leafHash } : { isNew: false }
}

/** Redacts events of a locked space. Returns the leaves of those with content left, by position. */
export async function redactEvents(
  client: pg.Client,
  tenantId: TenantId,
  spaceId: string,
  stored: readonly StoredEvent[],
  now: Date,
): Promise<Map<number, Buffer>> {
  const place = [tenantId, spaceId] as const
  // Includes events that were redacted before: a claim on one may be newer.
  const ids = stored.map(({ eventId }) => eventId)
  await redactClaimsOn(client, 'event', place, ids)
  await redactFilesOf(client, place, ids, now)
  const positions = stored.map(({ position }) => position)
  await forgetReasons(client, place, positions)
  await client.query(`DELETE FROM reactions WHERE tenant_id = $1 AND space_id = $2 AND position = ANY ($3::int8[])`, [
    ...place,
    positions,
  ])

  const left = stored
    .map((event) => ({ ...event, event: JSON.parse(event.wire) as EventContent }))
    .filter(({ event }) => event.redacted_at === undefined)
  if (left.length === 0) return new Map()
  const members = await membersAmong(client, tenantId, [...new Set(left.flatMap(({ event }) => idsIn(event)))])
  const isMember = (id: string) => members.has(id)
  const erased = left.map(({ position, event }) => ({ position, event: redacted(event, isMember, now) }))
  await client.query(
    `UPDATE events e SET wire = r.wire, speaker_id = r.speaker_id, terms = NULL, request_hash = NULL, nonce = ''
     FROM unnest($3::int8[], $4::text[], $5::text[]) AS r(position, wire, speaker_id)
     WHERE e.tenant_id = $1 AND e.space_id = $2 AND e.position = r.position`,
    [
      ...place,
      erased.map(({ position }) => position),
      erased.map(({ event }) => JSON.stringify(event)),
      erased.map(({ event }) => event.speaker_id),
    ],
  )
  await forgetMentions(client, place, left, isMember)
  return new Map(left.map(({ position, leafHash }) => [position, leafHash]))
}

/** A mention may be any text; only mentions of members are not content. */
async function forgetMentions(
  client: pg.Client,
  place: readonly [TenantId, string],
  events: readonly { readonly position: number; readonly event: EventContent }[],
  isMember: (id: string) => boolean,
): Promise<void> {
  const lost = events.flatMap(({ position, event }) =>
    mentionsIn(event.metadata)
      .filter((id) => !isMember(id))
      .map((id) => ({ position, id })),
  )
  await client.query(
    `DELETE FROM mentions m USING unnest($3::int8[], $4::text[]) AS l(position, participant_id)
     WHERE m.tenant_id = $1 AND m.space_id = $2 AND m.position = l.position AND m.participant_id = l.participant_id`,
    [...place, lost.map(({ position }) => position), lost.map(({ id }) => id)],
  )
}

/** Erases the reasons for declined events. The first mark of an actor at or after an event refers to it. */
async function forgetReasons(
  client: pg.Client,
  place: readonly [TenantId, string],
  positions: readonly number[],
): Promise<void> {
  await client.query(
    `UPDATE done_marks d SET reason = NULL
     WHERE tenant_id = $1 AND space_id = $2 AND reason IS NOT NULL AND position >= (SELECT min(p) FROM unnest($3::int8[]) p)
       AND EXISTS (SELECT FROM unnest($3::int8[]) p WHERE p <= d.position AND p > coalesce((
         SELECT max(e.position) FROM done_marks e WHERE e.tenant_id = $1 AND e.actor_id = d.actor_id AND e.space_id = $2
           AND e.position < d.position), 0))`,
    [...place, positions],
  )
}

async function membersAmong(
  client: pg.Client,
  tenantId: TenantId,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT actor_id AS id FROM memberships WHERE tenant_id = $1 AND actor_id = ANY ($2)',
    [tenantId, ids],
  )
  return new Set(rows.map(({ id }) => id))
}
