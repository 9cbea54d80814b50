import pg from 'pg'
import { type ConnectionOptions, clientConfig } from '../connection/connection.js'
import type { LogFunction } from '../connection/log-function.js'
import { migrate } from './apply.js'
import { difference } from './engine.js'
import { migrationsDirectory } from './files.js'

/**
 * The SQL that the migrations lack to produce the schema; undefined when they lack nothing. Needs an empty database,
 * which it fills.
 */
export async function missingSql(
  emptyDatabase: ConnectionOptions,
  schema: string,
  log: LogFunction,
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
