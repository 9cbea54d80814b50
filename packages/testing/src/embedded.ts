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

/** A PostgreSQL like that of a server, but with room for more databases. */
export const startPostgresOn = (dataDir: string): Promise<EmbeddedPostgres> =>
  startEmbedded({ ...optionsOf(dataDir), mayCreateDatabases: true })

/** How to reach the database of the server that has these data. */
export async function connectionTo(dataDir: string): Promise<ConnectionOptions> {
  return (await attachEmbedded(optionsOf(dataDir))).connection
}

/** Ends the PostgreSQL whose server was killed. */
export async function endPostgres(dataDir: string): Promise<void> {
  const pid = await postmasterOf(dataDir)
  if (pid === undefined) return
  process.kill(pid, 'SIGQUIT')
  await eventually(async () => (await postmasterOf(dataDir)) === undefined)
}
