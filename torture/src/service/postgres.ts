import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ConnectionOptions } from '@collab-spaces/db'
import { migrate } from '@collab-spaces/operator'
import { dataCopies, inDatabase, postmasterOf, query, startPostgresOn } from '@collab-spaces/testing/programs'

const TEMPLATE = 'spaces_template'

/** A dedicated PostgreSQL, which is restarted after crashes. */
export interface Postgres {
  readonly dataDir: string
  /** A migrated database to copy. */
  readonly template: ConnectionOptions
  stop(): Promise<void>
}

const copyData = dataCopies(async (dataDir) => {
  const { connection, stop } = await startPostgresOn(dataDir)
  await query(connection, `CREATE DATABASE ${TEMPLATE}`)
  await migrate(inDatabase(connection, TEMPLATE), () => {})
  await stop()
})

export async function startPostgres(directory: string): Promise<Postgres> {
  const data = join(directory, 'data')
  await copyData(data)
  const { connection, dataDir, stop } = await startPostgresOn(data)
  return { dataDir, template: inDatabase(connection, TEMPLATE), stop }
}

/** Returns the ids of its process and all descendants, if the system reports them. */
export async function processesOf(dataDir: string): Promise<number[]> {
  const postmaster = await postmasterOf(dataDir)
  if (postmaster === undefined) return []
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').catch(() => '')
  return [postmaster, ...children.split(' ').filter(Boolean).map(Number)]
}
