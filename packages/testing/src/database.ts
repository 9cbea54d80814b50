import type { ConnectionOptions } from '@collab-spaces/db'
import { asService } from '@collab-spaces/postgres-embedded'
import pg from 'pg'

/** Returns a connection to another database of the same server. */
export function inDatabase(connection: ConnectionOptions, database: string): ConnectionOptions {
  if (!('connectionString' in connection)) return { ...connection, database }
  const url = new URL(connection.connectionString)
  url.pathname = `/${database}`
  return { connectionString: url.href }
}

/**
 * Returns the connection of a running server, in the role that sees the waits of its statements. An external PostgreSQL
 * has one role.
 */
export function servingConnection(owner: ConnectionOptions): ConnectionOptions {
  return 'connectionString' in owner ? owner : asService(owner)
}

/** Returns the value of `DATABASE_URL`. */
export function urlOf(connection: ConnectionOptions): string {
  if ('connectionString' in connection) return connection.connectionString
  const { host, port, user, password, database } = connection
  return `postgres://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${database}`
}

/** The idle shared connection of each database that has one. */
const spares = new WeakMap<ConnectionOptions, { client: pg.Client | undefined }>()

/**
 * Shares a connection among the statements for a database: opening one takes the server several times as long as most
 * statements. Returns a function that closes it; while it is open, the database cannot be dropped.
 */
export function keepConnection(connection: ConnectionOptions): () => Promise<void> {
  const spare: { client: pg.Client | undefined } = { client: undefined }
  spares.set(connection, spare)
  return async () => {
    spares.delete(connection)
    await spare.client?.end()
  }
}

/** Runs one statement on a dedicated connection. */
export async function query(
  connection: ConnectionOptions,
  statement: string,
  values?: unknown[],
): Promise<pg.QueryResult> {
  const client = takeSpare(connection) ?? (await connect(connection))
  try {
    const result = await client.query(statement, values)
    await giveBack(connection, client)
    return result
  } catch (error) {
    // The connection itself may have failed.
    await client.end()
    throw error
  }
}

function takeSpare(connection: ConnectionOptions): pg.Client | undefined {
  const spare = spares.get(connection)
  const client = spare?.client
  if (spare) spare.client = undefined
  return client
}

async function connect(connection: ConnectionOptions): Promise<pg.Client> {
  const client = new pg.Client({ ...connection })
  // A pending statement reports the end of the connection.
  client.on('error', () => forget(connection, client))
  await client.connect()
  return client
}

/** A connection that the server has closed cannot be reused. */
function forget(connection: ConnectionOptions, client: pg.Client): void {
  const spare = spares.get(connection)
  if (spare?.client === client) spare.client = undefined
}

async function giveBack(connection: ConnectionOptions, client: pg.Client): Promise<void> {
  const spare = spares.get(connection)
  if (spare && spare.client === undefined) spare.client = client
  else await client.end()
}

let copies = 0

/** Creates a migrated database for the caller. Returns it with a function that drops it. */
export async function copyOf(
  template: ConnectionOptions,
): Promise<{ connection: ConnectionOptions; drop(): Promise<void> }> {
  const name = `test_${process.pid}_${Date.now()}_${copies++}`
  const original = new URL(urlOf(template)).pathname.slice(1)
  // The copied database must have no connections, so the statement uses another database.
  const maintenance = inDatabase(template, 'postgres')
  await query(maintenance, `CREATE DATABASE ${name} TEMPLATE ${original}`)
  return {
    connection: inDatabase(template, name),
    drop: () => dropWhenFree(maintenance, name),
  }
}

/** PostgreSQL waits five seconds for connections to close. A statement of a stopped server may take longer. */
const DROP_TRIES = 12
const IN_USE = '55006'

/**
 * Drops a database, but not by force: our role may not end an autovacuum worker, which ends by itself when it blocks
 * the drop. A database still in use is left to the end of the run, which removes the whole PostgreSQL.
 */
async function dropWhenFree(maintenance: ConnectionOptions, name: string): Promise<void> {
  for (let tries = 0; tries < DROP_TRIES; tries++) {
    try {
      await query(maintenance, `DROP DATABASE ${name}`)
      return
    } catch (error) {
      if ((error as pg.DatabaseError).code !== IN_USE) throw error
    }
  }
  const { rows } = await query(
    maintenance,
    'SELECT backend_type, usename, state, query FROM pg_stat_activity WHERE datname = $1',
    [name],
  )
  process.stderr.write(`${name} is still in use and was not dropped: ${JSON.stringify(rows)}\n`)
}
