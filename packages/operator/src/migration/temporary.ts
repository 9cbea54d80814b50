import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConnectionOptions } from '@collab-spaces/db'
import { startEmbedded } from '@collab-spaces/postgres-embedded'

/** Runs `work` with an empty database, in a temporary PostgreSQL that is removed afterwards. */
export async function withTemporaryDatabase<T>(work: (connection: ConnectionOptions) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'spaces-migration-'))
  try {
    const postgres = await startEmbedded({
      dataDir: join(directory, 'data'),
      explicitDataDir: true,
      log: () => {},
      onLost: () => {},
    })
    try {
      return await work(postgres.connection)
    } finally {
      await postgres.stop()
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
