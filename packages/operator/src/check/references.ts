import { COLUMNS, notBeingDeleted, type Place, type Reference, readReferences, tenantOf } from '@collab-spaces/db'
import type pg from 'pg'
import type { Progress } from '../backup/backup.js'
import { badValues, keyOf, parsedColumns } from '../rows/values.js'
import { type CarriedTables, keyedTables } from '../transfer/tables.js'
import type { Problem } from './history.js'
import { survived } from './survived.js'
import { ofWholeTenant } from './whole.js'

/** All rows, except those of incomplete tenants and spaces. */
const placeOf = (tables: CarriedTables): Place => ({
  rows: (table) => table,
  others: () => [],
  where: (table) => {
    const isHere = `EXISTS (SELECT FROM tenants x WHERE x.tenant_id = ${tenantOf(table, placeOf(tables))}
      AND ${ofWholeTenant('x')})`
    return tables.get(table)?.columns.includes('space_id') ? `${isHere} AND ${notBeingDeleted('s')}` : isHere
  },
  line: '0',
})

/** Checks every reference between rows, by a foreign key or otherwise. Returns the number of kinds of reference. */
export async function checkReferences(client: pg.Client, report: (problem: Problem) => void): Promise<number> {
  const tables = await keyedTables(client)
  const references = await readReferences(client)
  const whole = placeOf(tables)
  // This compares all rows, which is faster without an index, unlike in requests.
  await client.query('SET LOCAL enable_seqscan = on')
  for (const reference of references) {
    const { name, table, columns } = reference
    const primaryKey = tables.get(table)?.primaryKey ?? []
    // A row without a tenant has no complete one, either.
    const place = reference.isForeignKey || reference.target === 'tenant' ? { ...whole, where: () => 'true' } : whole
    const isUnreadable = async () => {
      // Reads to the end, because an unfinished COPY would block the connection.
      let count = 0
      for await (const _ of badValues(client, place, table, primaryKey, columns)) count++
      return count > 0
    }
    const look = () => checkReference(client, reference, place, primaryKey, report)
    await survived(client, `references of ${name}`, report, look, isUnreadable)
  }
  await client.query('SET LOCAL enable_seqscan = off')
  return references.length
}

async function checkReference(
  client: pg.Client,
  { name, table, target, isForeignKey, broken }: Reference,
  place: Place,
  primaryKey: readonly string[],
  report: (problem: Problem) => void,
): Promise<void> {
  const { rows } = await client.query<{ count: number; first: string | null }>(
    `SELECT count(*)::int AS count, min(${keyOf(primaryKey)}) AS first ${broken(place)}`,
  )
  const { count = 0, first } = rows[0] ?? {}
  if (count === 0) return
  const problem = isForeignKey
    ? `${count} rows of ${table} refer to none of ${target} (${name})`
    : `${count} rows of ${table} refer to no ${target} of their tenant (${name}), such as ${first}`
  report({ problem })
}

/** Checked with their histories. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = { events: ['wire'], decision_acts: ['wire'] }

/** Checks that the service can parse every value. */
export async function checkValues(
  client: pg.Client,
  report: (problem: Problem) => void,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const tables = await keyedTables(client)
  const place = placeOf(tables)
  for (const table of Object.keys(COLUMNS)) {
    const columns = parsedColumns(table).filter((column) => !ELSEWHERE[table]?.includes(column))
    progress(table, 0)
    await survived(client, `values of ${table}`, report, async () => {
      for await (const bad of badValues(client, place, table, tables.get(table)?.primaryKey ?? [], columns)) {
        signal.throwIfAborted()
        report({ problem: `${table} (${bad.key}): ${bad.column} ${bad.problem}` })
      }
    })
  }
}
