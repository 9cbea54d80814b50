import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { ConnectionOptions } from '../connection/connection.js'
import { readHistory } from '../migration/history.js'
import { BackupError } from './error.js'
import { commentLine, copyIn, copyOut, END_OF_ROWS, FORMAT, type Header, type RowCounts, VERSION } from './format.js'
import { withSnapshot } from './session.js'
import { type Table, tablesOf } from './tables.js'

/** Called now and then with a table and how many of its rows are done. */
export type Progress = (table: string, rows: number) => void

export interface Backup {
  readonly migration: string
  readonly rows: RowCounts
}

/**
 * Gives all of the database as it is at one moment, piece by piece, while servers go on reading and writing. Nothing is
 * held in memory but a few pieces on their way. Throws a BackupError for a database that is none of ours.
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
    const text = Readable.from(textOf(client, header, rows, progress), { objectMode: false })
    await pipeline(text, createGzip(), write, { signal })
    return { migration: header.migration, rows }
  })
}

async function headerOf(client: pg.Client): Promise<Header> {
  const { rows: migrations } = await readHistory(client)
  const migration = migrations.at(-1)?.name
  if (migration === undefined) throw new BackupError('The database is empty: there is nothing to back up')
  const tables = await tablesOf(client)
  return { format: FORMAT, version: VERSION, created_at: new Date().toISOString(), migration, tables }
}

async function* textOf(
  client: pg.Client,
  header: Header,
  rows: Record<string, number>,
  progress: Progress,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const piece of contentOf(client, header, rows, progress)) {
    hash.update(piece)
    yield piece
  }
  yield lineOf(commentLine({ rows, sha256: hash.digest('hex') }))
}

async function* contentOf(
  client: pg.Client,
  header: Header,
  rows: Record<string, number>,
  progress: Progress,
): AsyncGenerator<Buffer> {
  yield lineOf(commentLine(header))
  for (const table of header.tables) {
    yield lineOf(`${copyIn(table)};`)
    let done = 0
    const count = (total: number) => {
      done = total
      progress(table.name, total)
    }
    yield* counted(rowsOf(client, table), count)
    rows[table.name] = done
    yield lineOf(END_OF_ROWS)
  }
}

const lineOf = (text: string) => Buffer.from(`${text}\n`)

const rowsOf = (client: pg.Client, table: Table): AsyncIterable<Buffer> => client.query(copyTo(copyOut(table)))

/** The same pieces. Tells after each how many lines there have been. */
export async function* counted(pieces: AsyncIterable<Buffer>, tell: (total: number) => void): AsyncGenerator<Buffer> {
  let total = 0
  for await (const piece of pieces) {
    yield piece
    total += linesIn(piece)
    tell(total)
  }
}

const NEWLINE = 0x0a

function linesIn(piece: Buffer): number {
  let count = 0
  for (let at = piece.indexOf(NEWLINE); at !== -1; at = piece.indexOf(NEWLINE, at + 1)) count++
  return count
}
