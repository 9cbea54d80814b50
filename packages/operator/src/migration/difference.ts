import type { ConnectionOptions, LogFunction } from '@collab-spaces/db'
import { migrate, withClient } from './apply.js'
import { difference } from './engine.js'
import { migrationsDirectory } from './files.js'

/**
 * The SQL missing in the migrations to produce the schema; undefined without a difference. Needs an empty database, and
 * fills it.
 */
export async function missingSql(
  emptyDatabase: ConnectionOptions,
  schema: string,
  log: LogFunction,
  directory = migrationsDirectory,
): Promise<string | undefined> {
  await migrate(emptyDatabase, log, directory)
  return withClient(emptyDatabase, (client) => difference(client, schema))
}
