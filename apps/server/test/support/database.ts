import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Connection, migrate, startEmbedded } from '@collab-spaces/db'
import pg from 'pg'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated database that each test file copies. */
    template: Connection
    ownPostgres: string
  }
}

const TEMPLATE = 'spaces_template'

/** One PostgreSQL per run, with one migrated database for the files to copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const own = project.config.provide?.ownPostgres
  const server = own ? { connection: { connectionString: own }, stop: async () => {} } : await temporaryPostgres()
  await query(server.connection, `DROP DATABASE IF EXISTS ${TEMPLATE}`)
  await query(server.connection, `CREATE DATABASE ${TEMPLATE}`)
  const template = inDatabase(server.connection, TEMPLATE)
  await migrate(template, () => {})
  project.provide('template', template)
  return async () => {
    await query(server.connection, `DROP DATABASE ${TEMPLATE} WITH (FORCE)`)
    await server.stop()
  }
}

async function temporaryPostgres() {
  const directory = await mkdtemp(join(tmpdir(), 'spaces-test-'))
  const postgres = await startEmbedded({
    dataDir: join(directory, 'data'),
    explicitDataDir: true,
    log: () => {},
    onLost: (error) => {
      throw error
    },
  })
  return {
    connection: postgres.connection as Connection,
    stop: async () => {
      await postgres.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** The same server, another database. */
export function inDatabase(connection: Connection, database: string): Connection {
  if (!('connectionString' in connection)) return { ...connection, database }
  const url = new URL(connection.connectionString)
  url.pathname = `/${database}`
  return { connectionString: url.href }
}

/** One statement on a connection of its own. */
export async function query(connection: Connection, statement: string, values?: unknown[]): Promise<pg.QueryResult> {
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
export async function copyOf(template: Connection): Promise<{ connection: Connection; drop(): Promise<void> }> {
  const name = `test_${process.pid}_${Date.now()}_${copies++}`
  // Nobody may be connected to the database that is copied, so the statement is sent from another one.
  const maintenance = inDatabase(template, 'postgres')
  await query(maintenance, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`)
  return {
    connection: inDatabase(template, name),
    drop: async () => {
      // Not by force: our role may not end an autovacuum worker, which leaves by itself when it is in the way.
      await query(maintenance, `DROP DATABASE ${name}`)
    },
  }
}
