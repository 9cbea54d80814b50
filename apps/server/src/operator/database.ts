import { type ConnectionOptions, type Database, openDatabase } from '@collab-spaces/db'
import { requireMigrated } from '@collab-spaces/operator'
import { attachEmbedded } from '@collab-spaces/postgres-embedded'
import type { Settings } from '../settings.js'

/** Two are enough for one command after the other. */
const POOL_SIZE = 2

/**
 * Minimum database timeout of a command, in milliseconds: some change more at once than a request may, such as an actor with
 * all its agents.
 */
const TIMEOUT_MS = 20_000

const quietly = () => {}

/** Opens the installation's database for an operator's command, whether a server is using it or not. */
export function withDatabase<T>(
  settings: Settings,
  operator: string,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  return withConnection(settings, operator, async (connection) => {
    // Only a server migrates: a newer program must not change the schema under an older server that is running.
    await requireMigrated(connection)
    const timeoutMs = Math.max(settings.databaseTimeoutMs, TIMEOUT_MS)
    const database = await openDatabase({ connection, poolSize: POOL_SIZE, timeoutMs, log: quietly })
    try {
      return await work(database)
    } finally {
      await database.close()
    }
  })
}

/** The same, for work that makes its own connections. Where there is no data, none is made unless `mayMake` says so. */
export async function withConnection<T>(
  settings: Settings,
  operator: string,
  work: (connection: ConnectionOptions, directory: string | undefined) => Promise<T>,
  { mayMake = false } = {},
): Promise<T> {
  const { connection, dataDir, stop } = await reach(settings, !mayMake)
  try {
    return await work({ ...connection, operator }, dataDir)
  } finally {
    await stop()
  }
}

async function reach(
  { databaseUrl, migrationDatabaseUrl, dataDir, explicitDataDir }: Settings,
  mustExist: boolean,
): Promise<{
  readonly connection: ConnectionOptions
  readonly dataDir?: string
  stop(): Promise<void>
}> {
  const ownUrl = migrationDatabaseUrl ?? databaseUrl
  if (ownUrl !== undefined) return { connection: { connectionString: ownUrl }, stop: async () => {} }
  const lost = (error: Error) => {
    throw error
  }
  return attachEmbedded({ dataDir, explicitDataDir, mustExist, log: quietly, onLost: lost })
}
