import type { Redact } from './place.js'

/** A column that says something, and what takes its place. */
interface Column {
  readonly table: string
  readonly id: string
  readonly column: string
  readonly redacted: string
}

/** Redacts what one column of a row says. The rest of the row stays. */
export const redactColumn =
  ({ table, id, column, redacted }: Column): Redact =>
  async (client, { scope, spaceId, subjectId }) => {
    const place = [scope, spaceId, subjectId]
    const row = `tenant_id = $1 AND space_id = $2 AND ${id} = $3`
    const { rows } = await client.query<{ said: string }>(`SELECT ${column} AS said FROM ${table} WHERE ${row}`, place)
    const [found] = rows
    if (!found) return null
    const isNew = found.said !== redacted
    if (isNew) await client.query(`UPDATE ${table} SET ${column} = $4 WHERE ${row}`, [...place, redacted])
    return { isNew }
  }
