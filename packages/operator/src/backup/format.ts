import { createHash } from 'node:crypto'
import pg from 'pg'
import type { Table } from './tables.js'

/**
 * A backup is a text, compressed by gzip:
 *
 *     -- {"format":"collaboration-spaces-backup","version":1,…}
 *     COPY "events" ("tenant_id", …) FROM stdin;
 *     …a line per row, as PostgreSQL's COPY writes it…
 *     \.
 *     …the other tables…
 *     -- {"rows":{"events":1234,…},"sha256":"…"}
 *
 * The checksum is of all lines before the last one.
 */
export const FORMAT = 'collaboration-spaces-backup'
export const VERSION = 1

/** The first line: the description of the following tables. */
export interface Header {
  readonly format: string
  readonly version: number
  readonly created_at: string
  /** The newest migration of the schema. */
  readonly migration: string
  readonly tables: readonly Table[]
}

/** The last line. A file without it is incomplete. */
export interface Footer {
  readonly rows: RowCounts
  readonly sha256: string
  /** A signed note over the checksum; missing in an unsigned file. */
  readonly signature?: string
}

/** By table. */
export type RowCounts = Readonly<Record<string, number>>

/** The end of the rows of a table. No row can equal it, as COPY doubles every backslash. */
export const END_OF_ROWS = '\\.'

/** Both lines are SQL comments in the file. */
const COMMENT = '-- '

const commentLine = (content: Header | Footer) => `${COMMENT}${JSON.stringify(content)}`

/** The text of a comment line; undefined for any other line. */
export function commentIn(line: string): unknown {
  if (!line.startsWith(COMMENT)) return undefined
  try {
    return JSON.parse(line.slice(COMMENT.length))
  } catch {
    return undefined
  }
}

const { escapeIdentifier } = pg

const target = ({ name, columns }: Table) => `${escapeIdentifier(name)} (${columns.map(escapeIdentifier).join(', ')})`

export const copyOut = (table: Table) => `COPY ${target(table)} TO STDOUT`
export const copyIn = (table: Table) => `COPY ${target(table)} FROM stdin`

/** Called periodically with a table and the number of its completed rows. */
export type Progress = (table: string, rows: number) => void

/** The rows of a table, in the format of COPY. */
type RowsOf = (table: Table) => AsyncIterable<Buffer>

/** Signs the checksum of a file. */
export type Sign = (digest: Buffer) => string

/** The text of a file, with the rows of each table. Counts them by table. `sign` is optional. */
export async function* textOf(
  header: Header,
  rowsOf: RowsOf,
  rows: Record<string, number>,
  progress: Progress,
  sign: Sign | null = null,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const piece of contentOf(header, rowsOf, rows, progress)) {
    hash.update(piece)
    yield piece
  }
  const digest = hash.digest()
  yield lineOf(commentLine({ rows, sha256: digest.toString('hex'), ...(sign && { signature: sign(digest) }) }))
}

async function* contentOf(
  header: Header,
  rowsOf: RowsOf,
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
    yield* counted(rowsOf(table), count)
    rows[table.name] = done
    yield lineOf(END_OF_ROWS)
  }
}

const lineOf = (text: string) => Buffer.from(`${text}\n`)

/** Passes chunks on. Reports the number of lines after each. */
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
