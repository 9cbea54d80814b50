import type { ConnectionOptions } from '@collab-spaces/db'
import { eventually, query } from '@collab-spaces/testing'
import pg from 'pg'
import { onTestFinished } from 'vitest'

/** Takes a lock, until it is told to commit or the test is over. */
export async function hold(connection: ConnectionOptions, statement: string, values?: string[]): Promise<pg.Client> {
  const client = new pg.Client({ ...connection })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('BEGIN')
  await client.query(statement, values)
  return client
}

/** Resolves when so many others wait for a lock. */
export const waiting = (connection: ConnectionOptions, count: number) =>
  eventually(async () => {
    const { rows } = await query(
      connection,
      `SELECT count(*)::int AS count FROM pg_locks JOIN pg_stat_activity USING (pid)
       WHERE NOT granted AND datname = current_database()`,
    )
    return rows[0].count >= count
  })

/** Resolves when an actor waits for a row that another transaction has locked; who waits for a table does not count. */
export const waitingForRow = (connection: ConnectionOptions) =>
  eventually(async () => {
    const { rows } = await query(
      connection,
      `SELECT count(*)::int AS count FROM pg_locks JOIN pg_stat_activity USING (pid)
       WHERE NOT granted AND locktype IN ('transactionid', 'tuple') AND datname = current_database()`,
    )
    return rows[0].count > 0
  })
