import { constants } from 'node:fs'
import { realpath, access as requireAccess } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { nameOf } from './account.js'
import { type Binaries, findBinaries } from './binaries.js'
import { DATABASE, ensureCluster, hasCluster, ROLE } from './cluster.js'
import type { ConnectionOptions } from './connection.js'
import { EmbeddedError } from './errors.js'
import { keepPassword, readOrCreatePassword } from './password.js'
import { makeDataDir, statIfThere } from './private-directory.js'
import { type Access, dataOfRoot, rootAccess } from './root-access.js'
import { makeSocketDirectory, PORT } from './socket-directory.js'

/** The paths, account and connection of an embedded PostgreSQL, before it runs. */
export interface PreparedData extends Access {
  connections: number
  cluster: string
  logFile: string
  /** Connects as the role that owns the database. */
  connection: ConnectionOptions
}

export interface DataOptions {
  dataDir: string
  /** Whether the operator chose `dataDir`. If not, root may move the data to a directory that PostgreSQL can reach. */
  explicitDataDir: boolean
  /** The connections of the servers; there are at least 80. */
  connections?: number
  /** Whether the owner's role of a new cluster may create databases, which tests need. */
  mayCreateDatabases?: boolean
  /** Whether to refuse a directory without data instead of creating a cluster in it. */
  mustExist?: boolean
}

/** Prepares the files that PostgreSQL needs. Concurrent starts on one directory are safe. */
export async function prepareData(options: DataOptions): Promise<PreparedData> {
  const binaries = await findBinaries()
  const dataDir = await realPath(resolve(options.dataDir))
  await requireWritableDisk(dataDir)
  const isRoot = process.getuid?.() === 0
  if (options.mustExist) {
    await requireData(isRoot ? (await dataOfRoot({ ...options, dataDir })).dataDir : dataDir)
  }
  const access = isRoot
    ? await rootAccess({ dataDir, explicitDataDir: options.explicitDataDir, binaries })
    : await ownAccess(dataDir, binaries)
  const password = await readOrCreatePassword(access.dataDir, () => hasCluster(access.dataDir))
  const cluster = await ensureCluster(access, password, options.mayCreateDatabases)
  await keepPassword(access.dataDir)
  const host = await makeSocketDirectory(access.dataDir, access.runAs.account)
  return {
    ...access,
    connections: options.connections ?? 0,
    cluster,
    logFile: join(access.dataDir, 'postgres.log'),
    connection: { host, port: PORT, user: ROLE, password, database: DATABASE },
  }
}

/**
 * Throws if the directory holds no data, before anything is created. Data that cannot be read counts as present; its
 * error follows where it is used.
 */
async function requireData(dataDir: string): Promise<void> {
  const isThere = await hasCluster(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EACCES') return true
    throw error
  })
  if (!isThere) throw new EmbeddedError(`There is no data in ${dataDir}: set DATA_DIR to the directory of the server`)
}

/** Returns the path without symbolic links, so that all servers use the same name. The path need not exist yet. */
async function realPath(path: string): Promise<string> {
  const real = await realpath(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (real) return real
  const parent = resolve(path, '..')
  return parent === path ? path : join(await realPath(parent), path.slice(parent.length))
}

/**
 * Throws on a read-only disk, the only place where root cannot write. Without this check, the search for an account
 * with access would fail with a misleading error.
 */
async function requireWritableDisk(dataDir: string): Promise<void> {
  for (const directory of [dataDir, join(dataDir, 'postgres')]) {
    const code = await requireAccess(directory, constants.W_OK).catch((error: NodeJS.ErrnoException) => error.code)
    if (code !== 'EROFS') continue
    throw new EmbeddedError(
      `${directory} is on a disk that is mounted read-only: mount it for writing, or set DATA_DIR to another directory`,
    )
  }
}

async function ownAccess(dataDir: string, binaries: Binaries): Promise<Access> {
  await makeDataDir(dataDir, undefined)
  const directory = await statIfThere(dataDir)
  // Without access to the data directory, the owner of the cluster in it is not visible either.
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
  await requireAccess(dataDir, constants.W_OK | constants.X_OK)
  return { dataDir, binaries, runAs: { way: 'plain' } }
}
