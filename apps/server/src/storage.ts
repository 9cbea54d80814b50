import type { ConnectionOptions, ObjectStore } from '@collab-spaces/db'
import { asService, type EmbeddedOptions, startEmbedded } from '@collab-spaces/postgres-embedded'
import type { Logger } from 'pino'
import { DiskWatch } from './disk-watch.js'
import { sayTo } from './log.js'
import type { Settings } from './settings.js'

/** The PostgreSQL of the installation. */
export interface Storage {
  readonly connection: ConnectionOptions
  /** The connection of the owner role, if it is not the serving one. */
  readonly owner?: ConnectionOptions
  readonly data: string
  /** The data directory; missing with an external database. */
  readonly directory?: string
  /** Whether its disk is almost full. Missing with an external database. */
  isDiskLow?(): boolean
  /** Stops within a number of milliseconds, if given. */
  stop(within?: number): Promise<void>
}

/** Opens the bucket for the bytes of files if one is set, and loads its library only then. */
export async function openBucket({ bucket }: Pick<Settings, 'bucket'>): Promise<ObjectStore | null> {
  if (!bucket) return null
  const { Bucket } = await import('./bucket.js')
  return new Bucket(bucket)
}

/** Opens the external PostgreSQL of the settings, or starts the embedded one. */
export async function openStorage(
  settings: Settings,
  log: Logger,
  options: Pick<EmbeddedOptions, 'signal' | 'onLost' | 'onStarting'>,
): Promise<Storage> {
  const { databaseUrl, migrationDatabaseUrl, dataDir, explicitDataDir, workers, poolSize } = settings
  if (databaseUrl !== undefined) {
    return {
      connection: { connectionString: databaseUrl },
      ...(migrationDatabaseUrl !== undefined && { owner: { connectionString: migrationDatabaseUrl } }),
      data: new URL(databaseUrl).host,
      stop: async () => {},
    }
  }
  const embedded = await startEmbedded({
    dataDir,
    explicitDataDir,
    connections: workers * (poolSize + 1),
    log: sayTo(log),
    ...options,
  })
  const disk = await DiskWatch.start(embedded.dataDir, settings.minFreeDiskMb, log)
  return {
    connection: asService(embedded.connection),
    owner: embedded.connection,
    data: embedded.dataDir,
    directory: embedded.dataDir,
    isDiskLow: () => disk.isLow,
    stop: (within) => {
      disk.close()
      return embedded.stop(within)
    },
  }
}
