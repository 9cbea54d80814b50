import type pg from 'pg'

/** All or nothing. When it fails, the caller ends the connection, and PostgreSQL rolls back. */
export async function inTransaction<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN')
  const result = await work()
  await client.query('COMMIT')
  return result
}
