import pg from 'pg'
import type { Log } from '../bus.js'
import { type Connection, clientConfig } from '../connection.js'
import { migrate } from './apply.js'
import { difference } from './engine.js'
import { migrationsDirectory } from './files.js'

/**
 * The SQL that is missing in the migrations to make what the schema says; undefined when they make just that.
 * Works in an empty database, which it fills.
 */
export async function missingSql(
  emptyDatabase: Connection,
  schema: string,
  log: Log,
  directory = migrationsDirectory,
): Promise<string | undefined> {
  await migrate(emptyDatabase, log, directory)
  const client = new pg.Client(clientConfig(emptyDatabase))
  await client.connect()
  try {
    return await difference(client, schema)
  } finally {
    await client.end()
  }
}
