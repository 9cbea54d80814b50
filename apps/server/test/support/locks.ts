import type { ConnectionOptions } from '@collab-spaces/db'
import { eventually, query } from '@collab-spaces/testing'
import pg from 'pg'
import { onTestFinished } from 'vitest'

/** Takes a lock until its client commits or the test ends. */
export async function hold(connection: ConnectionOptions, statement: string, values?: string[]): Promise<pg.Client> {
  const client = new pg.Client({ ...connection })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('BEGIN')
  await client.query(statement, values)
  return client
}

/** Resolves when this many statements wait for a lock. */
export const waiting = (connection: ConnectionOptions, count: number) =>
  eventually(async () => {
    const { rows } = await query(
      connection,
      `SELECT count(*)::int AS count FROM pg_locks JOIN pg_stat_activity USING (pid)
       WHERE NOT granted AND datname = current_database()`,
    )
    return rows[0].count >= count
  })

/** Resolves when a transaction waits for a row lock; waits for a table do not count. */
export const waitingForRow = (connection: ConnectionOptions) =>
  eventually(async () => {
    const { rows } = await query(
      connection,
      `SELECT count(*)::int AS count FROM pg_locks JOIN pg_stat_activity USING (pid)
       WHERE NOT granted AND locktype IN ('transactionid', 'tuple') AND datname = current_database()`,
    )
    return rows[0].count > 0
  })
