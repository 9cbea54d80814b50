import type { ConnectionOptions, LogFunction } from '@collab-spaces/db'
import { migrate, withClient } from './apply.js'
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
  return withClient(emptyDatabase, (client) => difference(client, schema))
}
