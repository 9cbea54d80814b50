import {
  attachEmbedded,
  type ConnectionOptions,
  type EmbeddedPostgres,
  startEmbedded,
} from '@collab-spaces/postgres-embedded'
import { eventually } from './eventually.js'
import { postmasterOf } from './postmaster.js'

const optionsOf = (dataDir: string) => ({
  dataDir,
  explicitDataDir: true,
  log: () => {},
  onLost: (error: Error) => {
    throw error
  },
})

/** Several test files at a time, each with servers and their pools. */
const CONNECTIONS = 300

/** Starts a PostgreSQL like that of a server, but with permission to create databases. */
export const startPostgresOn = (dataDir: string): Promise<EmbeddedPostgres> =>
  startEmbedded({ ...optionsOf(dataDir), mayCreateDatabases: true, connections: CONNECTIONS })

/** Returns the connection to the database of the server on these data. */
export async function connectionTo(dataDir: string): Promise<ConnectionOptions> {
  return (await attachEmbedded(optionsOf(dataDir))).connection
}

/** Ends the PostgreSQL of a killed server. */
export async function endPostgres(dataDir: string): Promise<void> {
  const pid = await postmasterOf(dataDir)
  if (pid === undefined) return
  process.kill(pid, 'SIGQUIT')
  await eventually(async () => (await postmasterOf(dataDir)) === undefined)
}
