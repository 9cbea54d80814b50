import { join } from 'node:path'
import { attachEmbedded, type ConnectionOptions } from '@collab-spaces/postgres-embedded'

/** How to reach the database of a server that keeps its data in this directory. */
export async function connectionTo(directory: string): Promise<ConnectionOptions> {
  const { connection } = await attachEmbedded({
    dataDir: join(directory, 'data'),
    explicitDataDir: true,
    log: () => {},
    onLost: (error) => {
      throw error
    },
  })
  return connection
}

/** The same as a setting for another server. */
export function databaseUrl({ host, port, user, password, database }: ConnectionOptions): string {
  return `postgres://${user}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}
