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

/** As a server is connected while it serves, who alone sees what its statements wait for. An external PostgreSQL has one role for everything. */
export function servingConnection(owner: ConnectionOptions): ConnectionOptions {
  return 'connectionString' in owner ? owner : asService(owner)
}

/** As the setting `DATABASE_URL` has it. */
export function urlOf(connection: ConnectionOptions): string {
  if ('connectionString' in connection) return connection.connectionString
  const { host, port, user, password, database } = connection
  return `postgres://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${database}`
}

/** For each database that keeps one, the connection that its next statement takes, if none has it now. */
const spares = new WeakMap<ConnectionOptions, { client: pg.Client | undefined }>()

/**
 * Lets the statements for a database, as it is given here, share a connection: to open one takes a server several times
 * as long as most statements. Returns what closes it, without which the database cannot be dropped.
 */
export function keepConnection(connection: ConnectionOptions): () => Promise<void> {
  const spare: { client: pg.Client | undefined } = { client: undefined }
  spares.set(connection, spare)
  return async () => {
    spares.delete(connection)
    await spare.client?.end()
  }
}

/** One statement, on a dedicated connection. */
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
    // It may be the connection that failed.
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
  // A statement that is under way says that the connection has ended, whatever ended it.
  client.on('error', () => forget(connection, client))
  await client.connect()
  return client
}

/** One that the server has ended is of no use any more. */
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

/** A migrated database of the caller's own, and its end. */
export async function copyOf(
  template: ConnectionOptions,
): Promise<{ connection: ConnectionOptions; drop(): Promise<void> }> {
  const name = `test_${process.pid}_${Date.now()}_${copies++}`
  const original = new URL(urlOf(template)).pathname.slice(1)
  // The copied database must have no connections, so the statement is sent from another one.
  const maintenance = inDatabase(template, 'postgres')
  await query(maintenance, `CREATE DATABASE ${name} TEMPLATE ${original}`)
  return {
    connection: inDatabase(template, name),
    drop: () => dropWhenFree(maintenance, name),
  }
}

/** PostgreSQL itself waits five seconds for those who are connected. A statement of a server that was stopped ends later. */
const DROP_TRIES = 12
const IN_USE = '55006'

/**
 * Not by force: our role may not end an autovacuum worker, which leaves by itself when it is in the way. A database
 * that is in use all the same stays, as it goes with the whole PostgreSQL at the end of the run.
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
