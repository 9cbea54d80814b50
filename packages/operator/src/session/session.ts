import { Socket } from 'node:net'
import { type ConnectionOptions, clientConfig } from '@collab-spaces/db'
import pg from 'pg'

/**
 * A connection for work on the whole database, which may take hours. A failure closes it and aborts its query: PostgreSQL
 * then rolls back.
 */
export async function withSession<T>(
  connection: ConnectionOptions,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const socket = new Socket()
  const client = new pg.Client({ ...clientConfig(connection), stream: () => socket, query_timeout: 0 })
  // A pending query fails by itself. Without a listener the event would end this process.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0')
    const result = await work(client)
    await client.end()
    return result
  } finally {
    socket.destroy()
  }
}

/** Runs the work on one snapshot of any duration, without blocking other transactions. */
export async function withSnapshot<T>(
  connection: ConnectionOptions,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  return withSession(connection, async (client) => {
    // A policy that hides rows makes this fail, instead of omitting them.
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL row_security = off')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  })
}
