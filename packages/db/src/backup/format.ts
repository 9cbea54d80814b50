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

/** The first line: what the tables that follow are. */
export interface Header {
  readonly format: typeof FORMAT
  readonly version: number
  readonly created_at: string
  /** The newest migration of the schema. */
  readonly migration: string
  readonly tables: readonly Table[]
}

/** The last line. A file without it is not complete. */
export interface Footer {
  readonly rows: RowCounts
  readonly sha256: string
}

/** By table. */
export type RowCounts = Readonly<Record<string, number>>

/** Ends the rows of a table. No row can look like it, as COPY doubles every backslash. */
export const END_OF_ROWS = '\\.'

/** In the file, both lines are comments to SQL. */
const COMMENT = '-- '

export const commentLine = (content: Header | Footer) => `${COMMENT}${JSON.stringify(content)}`

/** What a comment line says; undefined for any other line. */
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
