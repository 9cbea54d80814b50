import { isUuid, mentionsIn, redacted, type Said } from '@collab-spaces/domain'
import type pg from 'pg'
import { leafHashOf, type Redact } from './place.js'

/**
 * What an event says: from its row and its terms in the search index. Its place, its speaker and its time stay, and so do
 * mentions of members, who may be waiting.
 */
export const redactEvent: Redact = async (client, { scope, spaceId, subjectId }, now) => {
  if (!isUuid(subjectId)) return null
  const place = [scope, spaceId]
  const { rows } = await client.query<{ position: string; wire: string }>(
    'SELECT position, wire FROM events WHERE tenant_id = $1 AND space_id = $2 AND event_id = $3',
    [...place, subjectId],
  )
  const [found] = rows
  if (!found) return null
  const event = JSON.parse(found.wire) as Said
  if (event.redacted_at !== undefined) return { isNew: false }

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
  return { isNew: true, leafHash: leafHashOf(found.wire) }
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
