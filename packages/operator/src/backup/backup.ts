import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type ConnectionOptions, readClock, recordOfOperator } from '@collab-spaces/db'
import { INSTALLATION } from '@collab-spaces/domain'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { readHistory } from '../migration/history.js'
import { OperatorError } from '../session/operator-error.js'
import { withSession, withSnapshot } from '../session/session.js'
import { copyOut, FORMAT, type Header, type Progress, type RowCounts, textOf, VERSION } from './format.js'
import { type Table, tablesOf } from './tables.js'

export type { Progress } from './format.js'

export interface Backup {
  readonly migration: string
  readonly rows: RowCounts
}

/**
 * Streams a snapshot of the database in chunks, while servers continue to read and write. Memory holds only a few chunks.
 * Throws an OperatorError for a foreign database.
 */
export async function backUp(
  connection: ConnectionOptions,
  write: (content: AsyncIterable<Buffer>) => Promise<void>,
  progress: Progress,
  signal: AbortSignal,
): Promise<Backup> {
  return withSnapshot(connection, async (client) => {
    const header = await headerOf(client)
    const rows: Record<string, number> = {}
    const rowsOf = (table: Table): AsyncIterable<Buffer> => client.query(copyTo(copyOut(table)))
    const text = Readable.from(textOf(header, rowsOf, rows, progress), { objectMode: false })
    await pipeline(text, createGzip(), write, { signal })
    return { migration: header.migration, rows }
  })
}

async function headerOf(client: pg.Client): Promise<Header> {
  const { rows: migrations } = await readHistory(client)
  const migration = migrations.at(-1)?.name
  if (migration === undefined) throw new OperatorError('The database is empty: there is nothing to back up')
  const tables = await tablesOf(client)
  return { format: FORMAT, version: VERSION, created_at: (await readClock(client)).toISOString(), migration, tables }
}

/**
 * Records a backup to a file in the security log. It is outside the transaction of the backup, which is read-only: a
 * backup also works on a standby, or on tables of an older version, where recording is impossible.
 */
export async function recordBackup(connection: ConnectionOptions, file: string, rows: RowCounts): Promise<void> {
  const { spaces = 0, events = 0 } = rows
  await withSession(connection, (client) =>
    recordOfOperator(client, INSTALLATION, 'backup.made', file, { spaces, events }),
  )
}
