import { constants } from 'node:fs'
import { access, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { nameOf } from './account.js'
import { findBinaries } from './binaries.js'
import { DATABASE, ensureCluster, ROLE } from './cluster.js'
import { EmbeddedError } from './errors.js'
import type { Connection } from './guardian.js'
import { readOrCreatePassword } from './password.js'
import { makeDataDir, statIfThere } from './private-directory.js'
import { type Reach, reachAsRoot } from './reach.js'
import { makeSocketDirectory, PORT } from './socket-directory.js'

/** Everything there is to know about one embedded PostgreSQL before it runs. */
export interface Place extends Reach {
  cluster: string
  logFile: string
  connection: Connection
}

/** Prepares all that PostgreSQL needs on disk. Servers may do this at the same time on the same directory. */
export async function preparePlace(options: { dataDir: string; explicitDataDir: boolean }): Promise<Place> {
  const binaries = await findBinaries()
  const dataDir = await realPath(resolve(options.dataDir))
  const reach =
    process.getuid?.() === 0
      ? await reachAsRoot({ dataDir, explicitDataDir: options.explicitDataDir, binaries })
      : await reachAsOurselves({ dataDir, binaries, runAs: { way: 'plain' } })

  const clusterExists = (await statIfThere(join(reach.dataDir, 'postgres', 'PG_VERSION'))) !== undefined
  const password = await readOrCreatePassword(reach.dataDir, clusterExists)
  const cluster = await ensureCluster(reach, password)
  const host = await makeSocketDirectory(reach.dataDir, reach.runAs.account)
  return {
    ...reach,
    cluster,
    logFile: join(reach.dataDir, 'postgres.log'),
    connection: { host, port: PORT, user: ROLE, password, database: DATABASE },
  }
}

/** The path without links, also of a directory that is yet to be made: everybody must call it the same. */
async function realPath(path: string): Promise<string> {
  const real = await realpath(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (real) return real
  const parent = resolve(path, '..')
  return parent === path ? path : join(await realPath(parent), path.slice(parent.length))
}

async function reachAsOurselves(reach: Reach): Promise<Reach> {
  const { dataDir } = reach
  await makeDataDir(dataDir, undefined)
  const directory = await statIfThere(dataDir)
  // Who may not enter the data directory cannot even ask who owns the cluster in it.
  const cluster = await statIfThere(join(dataDir, 'postgres')).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EACCES') return directory
    throw error
  })
  if (cluster && cluster.uid !== process.getuid?.()) {
    const owner = await nameOf(cluster.uid)
    throw new EmbeddedError(
      `${dataDir} belongs to ${owner}: start as ${owner}, give it to this user (chown -R), or set DATA_DIR to another directory`,
    )
  }
  await access(dataDir, constants.W_OK | constants.X_OK)
  return reach
}
