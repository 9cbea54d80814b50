import type pg from 'pg'
import { columnsOf } from './catalogue.js'

/** Deletes the contents among these that no file has, with their bytes, in a transaction. */
export async function forgetContents(
  client: pg.Client,
  tenantId: string,
  contentIds: readonly (string | null)[],
): Promise<void> {
  const among = [tenantId, [...new Set(contentIds.filter((id) => id !== null))]]
  // Waits for uploads that are just getting one of them, which the next statement then sees.
  await client.query(
    `SELECT FROM file_contents WHERE tenant_id = $1 AND content_id = ANY ($2) ORDER BY content_id FOR UPDATE`,
    among,
  )
  const { rows } = await client.query<{ id: string }>(
    `DELETE FROM file_contents c WHERE tenant_id = $1 AND content_id = ANY ($2)
       AND NOT EXISTS (SELECT FROM files f WHERE f.tenant_id = c.tenant_id AND f.content_id = c.content_id)
     RETURNING content_id AS id`,
    among,
  )
  await client.query('DELETE FROM file_chunks WHERE tenant_id = $1 AND content_id = ANY ($2)', [
    tenantId,
    rows.map(({ id }) => id),
  ])
}

/** Erases the files of events of a locked space: their names, and the bytes that no other file has. */
export async function redactFilesOf(
  client: pg.Client,
  place: readonly [tenantId: string, spaceId: string],
  eventIds: readonly string[],
  now: Date,
): Promise<void> {
  const ofEvents = [...place, eventIds]
  const { rows } = await client.query<{ contentId: string | null }>(
    `SELECT content_id AS "contentId" FROM files
     WHERE tenant_id = $1 AND space_id = $2 AND event_id = ANY ($3) ORDER BY file_id FOR NO KEY UPDATE`,
    ofEvents,
  )
  if (rows.length === 0) return
  const changes = columnsOf('files', 'event').map(([column, by]) => `${column} = ${by}`)
  await client.query(
    `UPDATE files SET ${changes.join(', ')}, content_id = NULL, deleted_at = coalesce(deleted_at, $4)
     WHERE tenant_id = $1 AND space_id = $2 AND event_id = ANY ($3)`,
    [...ofEvents, now],
  )
  await forgetContents(
    client,
    place[0],
    rows.map(({ contentId }) => contentId),
  )
}
