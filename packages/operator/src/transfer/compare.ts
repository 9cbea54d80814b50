import type pg from 'pg'
import { OperatorError } from '../session/operator-error.js'
import type { CarriedTable } from './tables.js'

/** The text format of rows, on both sides. */
export const SPELLING = `SET datestyle = 'ISO, MDY'; SET bytea_output = 'hex'; SET extra_float_digits = 1`

/** The hash of each row of a query, with further columns. */
const hashed = (query: string, columns: string) =>
  `SELECT ${columns} sha256(convert_to(x::text, 'UTF8')) AS h FROM (${query}) x`

interface Part {
  readonly part: string
  readonly rows: number
  readonly hash: string
}

/** The rows of a query in parts, each with a hash that is independent of order and collation. */
async function partsOf(client: pg.Client, query: string, part: string): Promise<Map<string, Part>> {
  const { rows } = await client.query<Part>(
    `SELECT part, count(*)::int AS rows, encode(sha256(string_agg(h, ''::bytea ORDER BY h)), 'hex') AS hash
     FROM (${hashed(query, `(${part})::text AS part,`)}) y GROUP BY part`,
  )
  return new Map(rows.map((row) => [row.part, row]))
}

/** A table, and its query for a comparison. */
export interface ComparedTable {
  readonly table: CarriedTable
  readonly query: string
}

/** The tables whose rows differ. One statement on each side, as writes are frozen during it. */
export async function differing(
  here: pg.Client,
  there: pg.Client,
  compared: readonly ComparedTable[],
): Promise<ComparedTable[]> {
  const statement = compared
    .map(
      ({ query }, index) =>
        `SELECT ${index} AS index, encode(sha256(coalesce(string_agg(h, ''::bytea ORDER BY h), '')), 'hex') AS hash
         FROM (${hashed(query, '')}) y`,
    )
    .join(' UNION ALL ')
  const hashesOf = async (client: pg.Client) => {
    const { rows } = await client.query<{ index: number; hash: string }>(statement)
    return new Map(rows.map(({ index, hash }) => [index, hash]))
  }
  const [ours, theirs] = await Promise.all([hashesOf(here), hashesOf(there)])
  return compared.filter((_, index) => ours.get(index) !== theirs.get(index))
}

/** Throws unless these tables have equal rows on both sides, and names the first different one. */
export async function requireAllEqual(
  here: pg.Client,
  there: pg.Client,
  compared: readonly ComparedTable[],
): Promise<void> {
  const [first] = await differing(here, there, compared)
  if (first) await requireEqual(here, there, first.table, first.query)
}

/** The rows per hash. */
const PART = 1_000

/** The parts of a table by position. */
export const PIECES = `x.space_id || '/' || x.position / ${PART}`

/**
 * Throws unless a query has the same rows on both sides, byte for byte, and names the first different one. Compares large
 * tables in parts.
 */
export async function requireEqual(
  here: pg.Client,
  there: pg.Client,
  table: CarriedTable,
  query: string,
  part = "''",
): Promise<void> {
  const [ours, theirs] = await Promise.all([partsOf(here, query, part), partsOf(there, query, part)])
  const different = [...new Set([...ours.keys(), ...theirs.keys()])]
    .sort()
    .find((name) => ours.get(name)?.hash !== theirs.get(name)?.hash)
  if (different === undefined) return
  throw new OperatorError(await firstDifference(here, there, table, query, part, different))
}

async function firstDifference(
  here: pg.Client,
  there: pg.Client,
  table: CarriedTable,
  query: string,
  part: string,
  name: string,
): Promise<string> {
  const rowsOf = async (client: pg.Client) => {
    const key = `concat_ws(' ', ${table.primaryKey.map((column) => `x.${column}::text`).join(', ')}) COLLATE "C" AS key,`
    const text = hashed(`SELECT * FROM (${query}) x WHERE (${part})::text = $1`, key)
    const { rows } = await client.query<{ key: string; h: Buffer }>(`${text} ORDER BY key`, [name])
    return new Map(rows.map(({ key, h }) => [key, h.toString('hex')]))
  }
  const [ours, theirs] = await Promise.all([rowsOf(here), rowsOf(there)])
  const key = [...new Set([...ours.keys(), ...theirs.keys()])]
    .sort()
    .find((each) => ours.get(each) !== theirs.get(each))
  const how = !theirs.has(key ?? '')
    ? 'is missing there'
    : !ours.has(key ?? '')
      ? 'is there and not here'
      : 'differs there'
  return `What arrived is not what was sent: ${table.name} (${key}) ${how}`
}
