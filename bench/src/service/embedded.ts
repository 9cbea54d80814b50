import { join } from 'node:path'
import { attachEmbedded, type ConnectionOptions, startEmbedded } from '@collab-spaces/postgres-embedded'

const options = (directory: string) => ({
  dataDir: join(directory, 'data'),
  explicitDataDir: true,
  log: () => {},
  onLost: (error: Error) => {
    throw error
  },
})

/** Makes the data of a server to come. Unlike one of its own making, it has room for databases of others. */
export async function makeData(directory: string): Promise<void> {
  const { stop } = await startEmbedded({ ...options(directory), mayCreateDatabases: true })
  await stop()
}

/** How to reach the database of a server that keeps its data in this directory. */
export async function connectionTo(directory: string): Promise<ConnectionOptions> {
  const { connection } = await attachEmbedded(options(directory))
  return connection
}

/** The same as a setting for another server. */
export function databaseUrl({ host, port, user, password, database }: ConnectionOptions): string {
  return `postgres://${user}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}
