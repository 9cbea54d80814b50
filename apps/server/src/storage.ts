import type { ConnectionOptions } from '@collab-spaces/db'
import { asService, type EmbeddedOptions, startEmbedded } from '@collab-spaces/postgres-embedded'
import type { Logger } from 'pino'
import { DiskWatch } from './disk-watch.js'
import { sayTo } from './log.js'
import type { Settings } from './settings.js'

/** A PostgreSQL to serve from, and how to stop it. */
export interface Storage {
  readonly connection: ConnectionOptions
  /** In the role that owns the tables, if that is not the one that serves. */
  readonly owner?: ConnectionOptions
  readonly data: string
  /** The directory that is ours, beside the database. */
  readonly directory?: string
  /** Whether its disk is almost full. Missing when the disk is not ours to watch. */
  isDiskLow?(): boolean
  /** Takes at most so many milliseconds, or its own time. */
  stop(within?: number): Promise<void>
}

/** The PostgreSQL of the settings, or our own, which it starts. */
export async function openStorage(
  settings: Settings,
  log: Logger,
  options: Pick<EmbeddedOptions, 'signal' | 'onLost' | 'onStarting'>,
): Promise<Storage> {
  const { databaseUrl, migrationDatabaseUrl, dataDir, explicitDataDir } = settings
  if (databaseUrl !== undefined) {
    return {
      connection: { connectionString: databaseUrl },
      ...(migrationDatabaseUrl !== undefined && { owner: { connectionString: migrationDatabaseUrl } }),
      data: new URL(databaseUrl).host,
      stop: async () => {},
    }
  }
  const embedded = await startEmbedded({ dataDir, explicitDataDir, log: sayTo(log), ...options })
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
