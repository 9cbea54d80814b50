import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ConnectionOptions, migrate } from '@collab-spaces/db'
import { startEmbedded } from '@collab-spaces/postgres-embedded'
import { inDatabase, postmasterOf, query } from '@collab-spaces/testing/programs'

const TEMPLATE = 'spaces_template'

/** A PostgreSQL of our own, which is started again when it crashes. */
export interface Postgres {
  readonly dataDir: string
  /** A migrated database, for copies. */
  readonly template: ConnectionOptions
  stop(): Promise<void>
}

export async function startPostgres(directory: string): Promise<Postgres> {
  const { connection, dataDir, stop } = await startEmbedded({
    dataDir: join(directory, 'data'),
    explicitDataDir: true,
    mayCreateDatabases: true,
    log: () => {},
    onLost: (error) => {
      throw error
    },
  })
  await query(connection, `CREATE DATABASE ${TEMPLATE}`)
  const template = inDatabase(connection, TEMPLATE)
  await migrate(template, () => {})
  return { dataDir, template, stop }
}

/** Its process and all that it has started, where the system tells. */
export async function processesOf(dataDir: string): Promise<number[]> {
  const postmaster = await postmasterOf(dataDir)
  if (postmaster === undefined) return []
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').catch(() => '')
  return [postmaster, ...children.split(' ').filter(Boolean).map(Number)]
}
