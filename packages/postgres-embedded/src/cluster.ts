import { lchown, mkdtemp, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from './account.js'
import { diskFull, EmbeddedError, saysDiskFull } from './errors.js'
import { privateDirectory, statIfThere } from './private-directory.js'
import { isAlive } from './process.js'
import type { Access } from './root-access.js'
import { type RunAs, run } from './run-as.js'
import { createServiceRole, hbaLine, SERVICE_ROLE } from './service-role.js'

export const ROLE = 'spaces'
export const DATABASE = 'spaces'

const VERSION = '18'
const DRAFT = '.initdb-'

/** Only our two roles can connect, through the socket and with their passwords. Even the superuser cannot connect. */
const HBA = hbaLine(ROLE) + hbaLine(SERVICE_ROLE)

/** The files that every cluster has. */
const PARTS = ['PG_VERSION', 'base', 'global/pg_control', 'pg_wal']

/** Returns whether the directory holds a cluster, even an incomplete one. */
export async function hasCluster(dataDir: string): Promise<boolean> {
  const parts = await readdir(join(dataDir, 'postgres')).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return parts.length > 0
}

/** Ensures that `<dataDir>/postgres` holds a cluster that this version can run, and returns its path. */
export async function ensureCluster(access: Access, password: string, mayCreateDatabases = false): Promise<string> {
  const cluster = join(access.dataDir, 'postgres')
  await removeLeftovers(access.dataDir)
  if (!(await hasCluster(access.dataDir))) await createCluster(access, cluster, password, mayCreateDatabases)
  for (const part of PARTS) {
    if (await statIfThere(join(cluster, part))) continue
    throw new EmbeddedError(
      `${join(cluster, part)} is missing: restore the data from a backup, or set DATA_DIR to another directory`,
    )
  }
  const version = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim()
  if (version !== VERSION) {
    throw new EmbeddedError(
      `${cluster} holds data of PostgreSQL ${version}, this is PostgreSQL ${VERSION}: back it up with the release that wrote it, move the directory away, and restore with this one; or set DATA_DIR to another directory`,
    )
  }
  return cluster
}

/**
 * Creates a cluster under a temporary name, and renames it once it is complete and on disk. Neither a kill nor a
 * concurrent start can leave half of a cluster.
 */
async function createCluster(
  access: Access,
  cluster: string,
  password: string,
  mayCreateDatabases: boolean,
): Promise<void> {
  const { dataDir, runAs } = access
  const maker = access.maker ?? runAs
  const draft = await mkdtemp(join(dataDir, `${DRAFT}${process.pid}-`))
  try {
    await privateDirectory(draft, maker.account)
    await initdb({ ...access, runAs: maker }, draft)
    await runOrThrow(maker, dataDir, '/bin/sh', ['-c', 'cat > "$0"', join(draft, 'pg_hba.conf')], HBA)
    await createRoleAndDatabase({ ...access, runAs: maker }, draft, password, mayCreateDatabases)
    if (runAs.account && runAs.account.uid !== maker.account?.uid) await changeOwner(runAs.account, draft)
    await runOrThrow(runAs, dataDir, access.binaries.initdb, ['--sync-only', '-D', draft])
    await rename(draft, cluster)
    await syncDirectory(dataDir)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    // Another server was faster. Its cluster has the same password, so it is as good as ours.
    if (!(await statIfThere(join(cluster, 'PG_VERSION')))) throw error
  }
}

/**
 * Sorts and compares text by code point, on every machine and in every version, so that no C library update breaks an
 * index. Only full-text search asks the C library which characters are letters. Under plain "C" it also counts “ — 、 as
 * letters, so UTF-8 locales are tried first.
 */
async function initdb(access: Access, directory: string): Promise<void> {
  const settings = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  let errors = ''
  for (const ctype of ['C.UTF-8', 'en_US.UTF-8', 'C']) {
    const args = ['-D', directory, '-U', 'postgres', '-A', 'reject', '--no-sync', ...settings, `--lc-ctype=${ctype}`]
    const outcome = await run(access.runAs, access.binaries.initdb, args)
    if (outcome.ok) return
    errors = outcome.errors
    if (!errors.includes('invalid locale')) break
  }
  throw failure(access.dataDir, errors)
}

/** Single-user mode needs no connection, so the superuser needs neither a password nor a line in pg_hba.conf. */
async function createRoleAndDatabase(
  access: Access,
  directory: string,
  password: string,
  mayCreateDatabases: boolean,
): Promise<void> {
  const sql = [
    createServiceRole(password),
    `create role ${ROLE} login ${mayCreateDatabases ? 'createdb' : 'nocreatedb'} password '${password}';`,
    `create database ${DATABASE} owner ${ROLE} strategy file_copy;`,
    // For a scrub after an erasure, which overwrites the write-ahead log.
    `grant pg_checkpoint, pg_monitor to ${ROLE};`,
  ]
  const args = ['--single', '-D', directory, '-F', '-c', 'exit_on_error=on', '-c', 'log_min_messages=fatal']
  // Only the first line of an error is reported: later lines contain the statement with the password.
  await runOrThrow(access.runAs, access.dataDir, access.binaries.postgres, [...args, 'postgres'], `${sql.join('\n')}\n`)
}

async function runOrThrow(runAs: RunAs, dataDir: string, file: string, args: string[], input?: string): Promise<void> {
  const outcome = await run(runAs, file, args, input)
  if (!outcome.ok) throw failure(dataDir, outcome.errors)
}

function failure(dataDir: string, errors: string): EmbeddedError {
  if (saysDiskFull(errors)) return diskFull(dataDir)
  const reason = errors.split('\n').find((line) => /error|fatal|panic|cannot|could not/i.test(line))
  return new EmbeddedError(
    `Cannot create the database in ${dataDir} (${reason?.trim() ?? 'initdb failed'}): fix this, or set DATABASE_URL to your own PostgreSQL`,
  )
}

/** Removes unfinished clusters of killed servers, but not that of a running server. */
async function removeLeftovers(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(DRAFT)) continue
    const pid = Number(name.slice(DRAFT.length).split('-')[0])
    if (!isAlive(pid)) await rm(join(dataDir, name), { recursive: true, force: true }).catch(() => {})
  }
}

/** Changes the owner of a new directory and its content, after the program that created it has ended. */
async function changeOwner(account: Account, directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) await changeOwner(account, path)
    else await lchown(path, account.uid, account.gid)
  }
  await lchown(directory, account.uid, account.gid)
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}
