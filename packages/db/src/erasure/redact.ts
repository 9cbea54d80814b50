import { createHash } from 'node:crypto'
import { type Event, isUuid, mentionsIn, redacted } from '@collab-spaces/domain'
import type pg from 'pg'
import type { ConnectionOptions } from '../connection/connection.js'
import { type ErasureRequest, recordErasure } from './record.js'
import { announce, inTransaction, removeDeadRows, withOwner } from './session.js'

export interface Redaction extends ErasureRequest {
  readonly eventId: string
}

/**
 * Erases what an event says, for good: from its row and its terms in the search index, and with it the summaries of its
 * space, which may quote it. What remains is its place, its speaker and its time. Afterwards nothing of the text is left
 * in the files of the tables. False if it was redacted before; null when there is no such event.
 */
export async function redactEvent(connection: ConnectionOptions, redaction: Redaction): Promise<boolean | null> {
  if (!isUuid(redaction.eventId)) return null
  return withOwner(connection, async (client) => {
    const isNew = await inTransaction(client, () => redactOnce(client, redaction, new Date()))
    if (isNew === null) return null
    // Also for one that was redacted before: what follows may have been interrupted.
    await announce(client, redaction)
    await removeDeadRows(client, ['events', 'summaries'])
    return isNew
  })
}

async function redactOnce(client: pg.Client, redaction: Redaction, now: Date): Promise<boolean | null> {
  const { scope, spaceId, eventId, requestedBy, reason } = redaction
  // The lock that writers take, too: a summary is either saved before, and deleted here, or not at all.
  const place = [scope, spaceId]
  await client.query('SELECT FROM spaces WHERE tenant_id = $1 AND space_id = $2 FOR NO KEY UPDATE', place)
  const { rows } = await client.query<{ position: string; wire: string }>(
    'SELECT position, wire FROM events WHERE tenant_id = $1 AND space_id = $2 AND event_id = $3',
    [...place, eventId],
  )
  const [found] = rows
  if (!found) return null
  const event = JSON.parse(found.wire) as Event
  if (event.redacted_at !== undefined) return false

  const mentions = await membersAmong(client, scope, mentionsIn(event.metadata))
  await client.query(
    'UPDATE events SET wire = $4, terms = NULL WHERE tenant_id = $1 AND space_id = $2 AND position = $3',
    [...place, found.position, JSON.stringify(redacted(event, mentions, now))],
  )
  await client.query(
    `DELETE FROM mentions
     WHERE tenant_id = $1 AND space_id = $2 AND position = $3 AND participant_id = ANY ($4) AND participant_id <> ALL ($5)`,
    [...place, found.position, mentionsIn(event.metadata), mentions],
  )
  await client.query('DELETE FROM summaries WHERE tenant_id = $1 AND space_id = $2', place)
  await client.query('UPDATE spaces SET redactions = redactions + 1 WHERE tenant_id = $1 AND space_id = $2', place)
  await client.query(
    `INSERT INTO erasures (tenant_id, space_id, event_id, leaf_hash, events, requested_by, reason, started_at, completed_at)
     VALUES ($1, $2, $3, $4, 1, $5, $6, $7, $7)`,
    [...place, eventId, leafHash(found.wire), requestedBy, reason, now],
  )
  await recordErasure(client, scope, 'event.redacted', eventId)
  return true
}

/** Mentions may be any text; only those of members are no part of what was said. */
async function membersAmong(client: pg.Client, scope: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT actor_id AS id FROM memberships WHERE tenant_id = $1 AND actor_id = ANY ($2)',
    [scope, ids],
  )
  const members = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => members.has(id))
}

const leafHash = (wire: string): Buffer =>
  createHash('sha256')
    .update(Buffer.from([0]))
    .update(wire)
    .digest()
