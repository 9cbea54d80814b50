import { COLUMNS, type Place, type Row } from '@collab-spaces/db'
import type pg from 'pg'
import { rowsOf } from './rows.js'

/** An invalid row. */
export interface BadValue {
  readonly table: string
  readonly column: string
  /** Its number in the table; 0 without one. */
  readonly line: number
  readonly key: string
  readonly problem: string
}

/** The keys of rows `s`, in readable form. */
export const keyOf = (primaryKey: readonly string[]): string =>
  `concat_ws(' ', ${primaryKey.map((column) => `s.${column}::text`).join(', ')})`

/** Returns the parsed columns of a table. */
export const parsedColumns = (table: string): string[] =>
  Object.entries(COLUMNS[table] ?? {}).flatMap(([column, { parse }]) => (parse ? [column] : []))

/** Parses the values of some columns of a table as the service does, row by row. */
export async function* badValues(
  client: pg.Client,
  place: Place,
  table: string,
  primaryKey: readonly string[],
  columns: readonly string[] = parsedColumns(table),
): AsyncGenerator<BadValue> {
  if (columns.length === 0) return
  const needed = new Map(columns.map((column) => [column, `s.${column}`]))
  for (const column of columns) {
    for (const [name, sql] of Object.entries(COLUMNS[table]?.[column]?.beside ?? {})) needed.set(name, sql)
  }
  const object = [...needed].map(([name, sql]) => `'${name}', ${sql}`).join(', ')
  const rows = rowsOf(
    client,
    `SELECT ${place.line}, ${keyOf(primaryKey)}, json_build_object(${object}) FROM ${place.rows(table)} s
     WHERE num_nonnulls(${columns.map((column) => `s.${column}`).join(', ')}) > 0 AND ${place.where(table)}`,
  )
  for await (const [line, key, json] of rows) {
    const row = JSON.parse(String(json)) as Row
    for (const column of columns) {
      const problem = problemWith(table, column, row)
      if (problem !== null) yield { table, column, line: Number(line), key: String(key), problem }
    }
  }
}

function problemWith(table: string, column: string, row: Row): string | null {
  const value = row[column]
  if (value === null) return null
  try {
    COLUMNS[table]?.[column]?.parse?.(value, row)
    return null
  } catch (error) {
    return (error as Error).message
  }
}
