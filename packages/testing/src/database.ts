import type { ConnectionOptions } from '@collab-spaces/db'
import { asService } from '@collab-spaces/postgres-embedded'
import pg from 'pg'

/** The same server, another database. */
export function inDatabase(connection: ConnectionOptions, database: string): ConnectionOptions {
  if (!('connectionString' in connection)) return { ...connection, database }
  const url = new URL(connection.connectionString)
  url.pathname = `/${database}`
  return { connectionString: url.href }
}

/** As a server is connected while it serves, who alone sees what its statements wait for. A PostgreSQL of somebody's own has one role for everything. */
export function servingConnection(owner: ConnectionOptions): ConnectionOptions {
  return 'connectionString' in owner ? owner : asService(owner)
}

/** As the setting `DATABASE_URL` has it. */
export function urlOf(connection: ConnectionOptions): string {
  if ('connectionString' in connection) return connection.connectionString
  const { host, port, user, password, database } = connection
  return `postgres://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${database}`
}

/** One statement on a connection of its own. */
export async function query(
  connection: ConnectionOptions,
  statement: string,
  values?: unknown[],
): Promise<pg.QueryResult> {
  const client = new pg.Client({ ...connection })
  await client.connect()
  try {
    return await client.query(statement, values)
  } finally {
    await client.end()
  }
}

let copies = 0

/** A migrated database of the caller's own, and its end. */
export async function copyOf(
  template: ConnectionOptions,
): Promise<{ connection: ConnectionOptions; drop(): Promise<void> }> {
  const name = `test_${process.pid}_${Date.now()}_${copies++}`
  const original = new URL(urlOf(template)).pathname.slice(1)
  // Nobody may be connected to the database that is copied, so the statement is sent from another one.
  const maintenance = inDatabase(template, 'postgres')
  await query(maintenance, `CREATE DATABASE ${name} TEMPLATE ${original}`)
  return {
    connection: inDatabase(template, name),
    drop: async () => {
      // Not by force: our role may not end an autovacuum worker, which leaves by itself when it is in the way.
      await query(maintenance, `DROP DATABASE ${name}`)
    },
  }
}
