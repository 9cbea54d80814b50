import { join } from 'node:path'
import { attachEmbedded, type ConnectionOptions, startEmbedded } from '@collab-spaces/postgres-embedded'
import { dataCopies } from '@collab-spaces/testing/programs'

const optionsOf = (dataDir: string) => ({
  dataDir,
  explicitDataDir: true,
  log: () => {},
  onLost: (error: Error) => {
    throw error
  },
})

const copyData = dataCopies(async (dataDir) => {
  const { stop } = await startEmbedded({ ...optionsOf(dataDir), mayCreateDatabases: true })
  await stop()
})

/** Makes the data of a server to come. Unlike one of its own making, it has room for databases of others. */
export const makeData = (directory: string): Promise<void> => copyData(join(directory, 'data'))

/** How to reach the database of a server that keeps its data in this directory. */
export async function connectionTo(directory: string): Promise<ConnectionOptions> {
  const { connection } = await attachEmbedded(optionsOf(join(directory, 'data')))
  return connection
}

/** The same as a setting for another server. */
export function databaseUrl({ host, port, user, password, database }: ConnectionOptions): string {
  return `postgres://${user}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}
