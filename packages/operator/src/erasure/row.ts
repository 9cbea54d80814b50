import type { Redactable } from '@collab-spaces/domain'
import type pg from 'pg'
import { columnsOf } from './catalogue.js'
import type { Redact } from './place.js'

interface Rows {
  readonly noun: Redactable
  readonly table: string
  /** The id column. */
  readonly id: string
}

/** Redacts the columns that the catalogue lists for a noun in one row. The other columns stay. */
export const redactRow = ({ noun, table, id }: Rows): Redact => {
  const columns = columnsOf(table, noun)
  const row = `tenant_id = $1 AND space_id = $2 AND ${id} = $3`
  const isNew = columns.map(([column, by]) => `${column} IS DISTINCT FROM ${by}`).join(' OR ')
  const changes = columns.map(([column, by]) => `${column} = ${by}`).join(', ')
  return async (client, { tenantId, spaceId, subjectId }) => {
    const place = [tenantId, spaceId, subjectId]
    const { rows } = await client.query<{ isNew: boolean }>(
      `SELECT ${isNew} AS "isNew" FROM ${table} WHERE ${row} FOR NO KEY UPDATE`,
      place,
    )
    const [found] = rows
    if (found?.isNew) await client.query(`UPDATE ${table} SET ${changes} WHERE ${row}`, place)
    return found ?? null
  }
}

/** Erases the texts of claims on events or decisions. Returns whether there were any. */
export async function redactClaimsOn(
  client: pg.Client,
  noun: 'event' | 'decision',
  place: readonly string[],
  ids: readonly string[],
): Promise<boolean> {
  const columns = columnsOf('work_claims', noun)
  const { rowCount } = await client.query(
    `UPDATE work_claims SET ${columns.map(([column, by]) => `${column} = ${by}`).join(', ')}
     WHERE tenant_id = $1 AND space_id = $2 AND subject = ANY ($3)
       AND (${columns.map(([column, by]) => `${column} IS DISTINCT FROM ${by}`).join(' OR ')})`,
    [...place, ids.map((id) => `${noun}:${id.toLowerCase()}`)],
  )
  return (rowCount ?? 0) > 0
}
