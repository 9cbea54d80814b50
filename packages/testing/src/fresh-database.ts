import type { ConnectionOptions } from '@collab-spaces/db'
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest'
import { copyOf, keepConnection } from './database.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated database that each test file copies. */
    template: ConnectionOptions
    ownPostgres: string
  }
}

/** A database that tests share, while they run. */
export interface TestDatabase {
  readonly connection: ConnectionOptions
}

/** Copies the template. Returns the copy with a function that drops it. */
async function copy(): Promise<{ connection: ConnectionOptions; drop(): Promise<void> }> {
  const { connection, drop } = await copyOf(inject('template'))
  const close = keepConnection(connection)
  return {
    connection,
    drop: async () => {
      await close()
      await drop()
    },
  }
}

/** Provides a new database for all tests of a file. Use within `describe` or at the top of a file. */
export function useDatabase(): TestDatabase {
  const database = {} as { connection: ConnectionOptions }
  let drop: (() => Promise<void>) | undefined
  beforeAll(async () => {
    const made = await copy()
    drop = made.drop
    database.connection = made.connection
  })
  afterAll(() => drop?.())
  return database
}

/** Creates a new database for one test. */
export async function freshDatabase(): Promise<ConnectionOptions> {
  const { connection, drop } = await copy()
  onTestFinished(drop)
  return connection
}
