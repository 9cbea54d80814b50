import { migrate, migrateForService } from '@collab-spaces/operator'
import type { Logger } from 'pino'
import { sayTo } from './log.js'
import type { Storage } from './storage.js'

/**
 * Migrates the database before the service starts.
 *
 * This file names what a start needs of the package, so that the bundle has the commands of operators in another chunk,
 * which a server does not load.
 */
export function migrateStorage({ connection, owner }: Storage, log: Logger): Promise<unknown> {
  const say = sayTo(log)
  if (owner) return migrateForService(owner, connection, say)
  return migrate(connection, say)
}
