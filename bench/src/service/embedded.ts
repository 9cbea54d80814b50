import { join } from 'node:path'
import { type ConnectionOptions, visitEmbedded } from '@collab-spaces/postgres-embedded'

export type EmbeddedConnection = Extract<ConnectionOptions, { host: string }>

/** How to reach the database of a server that keeps its data in this directory. */
export async function connectionTo(directory: string): Promise<EmbeddedConnection> {
  const { connection } = await visitEmbedded({
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
export function databaseUrl({ host, port, user, password, database }: EmbeddedConnection): string {
  return `postgres://${user}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}
