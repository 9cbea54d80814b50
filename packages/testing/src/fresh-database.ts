import type { ConnectionOptions } from '@collab-spaces/db'
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest'
import { copyOf } from './database.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated database that each test file copies. */
    template: ConnectionOptions
    ownPostgres: string
  }
}

/** A database that tests share, once the first of them begins. */
export interface TestDatabase {
  readonly connection: ConnectionOptions
}

/** A fresh database for all tests of a file. Use within `describe` or at the top of a file. */
export function useDatabase(): TestDatabase {
  const database = {} as { connection: ConnectionOptions }
  let drop: (() => Promise<void>) | undefined
  beforeAll(async () => {
    const copy = await copyOf(inject('template'))
    drop = copy.drop
    database.connection = copy.connection
  })
  afterAll(() => drop?.())
  return database
}

/** A fresh database for one test. */
export async function freshDatabase(): Promise<ConnectionOptions> {
  const { connection, drop } = await copyOf(inject('template'))
  onTestFinished(drop)
  return connection
}
