import { type ConnectionOptions, type ErasureRequest, inTransaction, recordOfOperator } from '@collab-spaces/db'
import { unknown } from '@collab-spaces/domain'
import type pg from 'pg'
import type { Progress } from '../backup/backup.js'
import { forgetContents } from './content.js'
import { announce, withOwner } from './session.js'
import { tablesOfSpaces } from './tables.js'

export interface SpaceDeletion {
  /** The number of events in the space. */
  readonly events: number
  /** Whether this call resumed an earlier attempt. */
  readonly isResumed: boolean
}

/** The rows per transaction, which holds the lock of the space. */
const BATCH = 2_000
/** Files may be large. */
const FILES_BATCH = 50

/**
 * Deletes a space permanently, with all of its content and every link to it, in small transactions, so that no request
 * waits: it archives the space, then deletes its history from the newest event to the first, without gaps, and the rest
 * with the space itself. Resumes after an interruption. 404 for an unknown space.
 */
export async function deleteSpace(
  connection: ConnectionOptions,
  request: ErasureRequest,
  progress: Progress,
  signal: AbortSignal,
): Promise<SpaceDeletion> {
  return withOwner(connection, async (client) => {
    const deletion = await inTransaction(client, () => begin(client, request))
    await announce(client, request)
    const tables = await tablesOfSpaces(client)
    const inBatches = async (table: string, deleteSome: () => Promise<number>) => {
      let deleted = 0
      for (;;) {
        signal.throwIfAborted()
        const count = await deleteSome()
        if (count === 0) return
        deleted += count
        progress(table, deleted)
      }
    }
    await inBatches('files', () => inTransaction(client, () => deleteFiles(client, request)))
    for (const table of tables) await inBatches(table, () => deleteRows(client, request, table))
    await inBatches('events', () => inTransaction(client, () => deleteNewest(client, request)))
    await inTransaction(client, () => end(client, request, tables))
    await announce(client, request)
    return deletion
  })
}

/** Prevents writes and joins, prevents unarchiving by removing the end time, and records the start of the deletion. */
async function begin(
  client: pg.Client,
  { tenantId, spaceId, requestedBy, reason }: ErasureRequest,
): Promise<SpaceDeletion> {
  const place = [tenantId, spaceId]
  const { rows } = await client.query<{ head: number }>(
    `UPDATE spaces SET status = 'archived', ended_at = NULL
     WHERE tenant_id = $1 AND space_id = $2 RETURNING head`,
    place,
  )
  const [space] = rows
  if (!space) throw unknown('Space')
  const erasures = await client.query<{ events: number }>(
    `SELECT events FROM erasures
     WHERE tenant_id = $1 AND space_id = $2 AND event_id IS NULL AND completed_at IS NULL`,
    place,
  )
  const [earlier] = erasures.rows
  if (earlier) return { events: earlier.events, isResumed: true }
  await client.query(
    `INSERT INTO erasures (tenant_id, space_id, events, requested_by, reason, started_at)
     VALUES ($1, $2, $3, $4, $5, now())`,
    [...place, space.head, requestedBy, reason],
  )
  return { events: space.head, isResumed: false }
}

async function deleteRows(client: pg.Client, { tenantId, spaceId }: ErasureRequest, table: string): Promise<number> {
  const name = client.escapeIdentifier(table)
  const { rowCount } = await client.query(
    `DELETE FROM ${name} WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM ${name} WHERE tenant_id = $1 AND space_id = $2 LIMIT ${BATCH}))`,
    [tenantId, spaceId],
  )
  return rowCount ?? 0
}

/** Deletes some files of the space, with the bytes that no other file has. */
async function deleteFiles(client: pg.Client, { tenantId, spaceId }: ErasureRequest): Promise<number> {
  const { rows } = await client.query<{ contentId: string | null }>(
    `DELETE FROM files WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM files WHERE tenant_id = $1 AND space_id = $2 LIMIT ${FILES_BATCH}))
     RETURNING content_id AS "contentId"`,
    [tenantId, spaceId],
  )
  const contents = rows.map(({ contentId }) => contentId)
  await forgetContents(client, tenantId, contents)
  return rows.length
}

/**
 * Deletes the newest events. A thread is about an event before all of its own, and is deleted with that one; those about
 * decisions are deleted last.
 */
async function deleteNewest(client: pg.Client, { tenantId, spaceId }: ErasureRequest): Promise<number> {
  const { rows } = await client.query<{ head: number }>(
    'SELECT head FROM spaces WHERE tenant_id = $1 AND space_id = $2 FOR NO KEY UPDATE',
    [tenantId, spaceId],
  )
  const head = rows[0]?.head ?? 0
  const rest = Math.max(head - BATCH, 0)
  const values = [tenantId, spaceId, rest]
  // One statement, because events and threads refer to each other: foreign keys are checked at its end.
  await client.query(
    `WITH gone AS (
       DELETE FROM events WHERE tenant_id = $1 AND space_id = $2 AND position > $3 RETURNING event_id
     )
     DELETE FROM threads t USING gone
     WHERE t.tenant_id = $1 AND t.space_id = $2 AND t.parent_event_id = gone.event_id`,
    values,
  )
  await client.query(
    `UPDATE spaces s SET head = $3, last_event_at = (
       SELECT occurred_at FROM events e WHERE e.tenant_id = s.tenant_id AND e.space_id = s.space_id AND e.position = $3
     ) WHERE tenant_id = $1 AND space_id = $2`,
    values,
  )
  return head - rest
}

/** Deletes later content of the space, references from elsewhere, and the space. */
async function end(client: pg.Client, { tenantId, spaceId }: ErasureRequest, tables: readonly string[]): Promise<void> {
  const place = [tenantId, spaceId]
  const byDefault = 'WHERE tenant_id = $1 AND default_space_id = $2'
  // They are locked before the space, as where they are redeemed or act.
  await client.query(`SELECT FROM invites ${byDefault} ORDER BY invite_id FOR NO KEY UPDATE`, place)
  await client.query(
    `SELECT FROM actors ${byDefault} ORDER BY sponsor_id IS NOT NULL, actor_id FOR NO KEY UPDATE`,
    place,
  )
  await client.query('SELECT FROM spaces WHERE tenant_id = $1 AND space_id = $2 FOR UPDATE', place)
  for (const table of tables) {
    await client.query(`DELETE FROM ${client.escapeIdentifier(table)} WHERE tenant_id = $1 AND space_id = $2`, place)
  }
  await client.query('DELETE FROM threads WHERE tenant_id = $1 AND space_id = $2', place)
  await client.query('DELETE FROM links WHERE tenant_id = $1 AND target_id = $2', place)
  for (const table of ['invites', 'actors']) {
    await client.query(`UPDATE ${table} SET default_space_id = NULL ${byDefault}`, place)
  }
  await client.query('DELETE FROM spaces WHERE tenant_id = $1 AND space_id = $2', place)
  await client.query(
    `UPDATE erasures SET completed_at = now()
     WHERE tenant_id = $1 AND space_id = $2 AND event_id IS NULL AND completed_at IS NULL`,
    place,
  )
  await recordOfOperator(client, tenantId, 'space.deleted', spaceId)
}
