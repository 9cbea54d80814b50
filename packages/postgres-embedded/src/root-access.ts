import { createHash } from 'node:crypto'
import { chmod, cp, mkdir, mkdtemp, readdir, realpath, rename, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Account, accountFor, makerFor, readPasswd } from './account.js'
import { type Binaries, binariesIn } from './binaries.js'
import { EmbeddedError } from './errors.js'
import { makeDataDir, privateDirectory, statIfThere } from './private-directory.js'
import { type RunAs, run } from './run-as.js'

/** The paths of PostgreSQL's programs and data, and the account that runs them. */
export interface Access {
  dataDir: string
  binaries: Binaries
  runAs: RunAs
  /** The account that creates a new cluster, whose owner then becomes `runAs`. Absent when both are the same. */
  maker?: RunAs
}

/** Returns whether the account, started this way, can run the programs, or write to the data. */
export type CanAccess = (way: RunAs['way'], what: 'binaries' | 'data') => Promise<boolean>

const WAYS = ['plain', 'setpriv'] as const

/**
 * Returns the least intrusive way for root to run PostgreSQL as an unprivileged account: with everything in place, or
 * with copied programs, or with moved data as well. Undefined when the data is out of reach and must not move.
 */
export async function chooseRoute(canAccess: CanAccess, dataMayMove: boolean) {
  for (const way of WAYS) {
    if ((await canAccess(way, 'binaries')) && (await canAccess(way, 'data'))) {
      return { way, copyBinaries: false, moveData: false }
    }
  }
  for (const way of WAYS) {
    if (await canAccess(way, 'data')) return { way, copyBinaries: true, moveData: false }
  }
  if (!dataMayMove) return undefined
  return { way: 'plain' as const, copyBinaries: !(await canAccess('plain', 'binaries')), moveData: true }
}

export interface RootOptions {
  dataDir: string
  explicitDataDir: boolean
  binaries: Binaries
  /** The directory for copies of programs and for moved data. */
  home?: string
  /** The accounts of this machine. Replaced by tests. */
  passwd?: Account[]
  /** Replaced by tests, to simulate missing permissions. */
  canAccess?: (account: Account, dataDir: string, binaries: Binaries) => CanAccess
}

const HOME = '/var/lib/collaboration-spaces'

/**
 * Returns the data directory for root. Moved data stays where it is, and data in place is never abandoned for an empty
 * cluster.
 */
export async function dataOfRoot({ dataDir, explicitDataDir, home = HOME }: Omit<RootOptions, 'binaries'>) {
  const moved = join(home, shortHash(dataDir))
  const inPlace = await statIfThere(join(dataDir, 'postgres'))
  const hasMoved = !inPlace && !explicitDataDir && (await statIfThere(join(moved, 'postgres'))) !== undefined
  return { dataDir: hasMoved ? moved : dataDir, moved }
}

/** Determines the account for PostgreSQL under root, and gives it access to programs and data. */
export async function rootAccess(options: RootOptions): Promise<Access> {
  const { explicitDataDir, binaries, home = HOME, canAccess = tryOut } = options
  const { dataDir, moved } = await dataOfRoot(options)

  const cluster = await statIfThere(join(dataDir, 'postgres'))
  const { passwd = await readPasswd() } = options
  const account = accountFor(passwd, cluster, await statIfThere(dataDir))
  if (cluster?.uid === 0) {
    throw new EmbeddedError(
      `${join(dataDir, 'postgres')} belongs to root, and PostgreSQL refuses to run as root: give it to ${account.name} (chown -R)`,
    )
  }
  await makeDataDir(dataDir, account)
  const route = await chooseRoute(canAccess(account, dataDir, binaries), !explicitDataDir && !cluster)
  if (!route) throw noAccess(account, dataDir)

  const access: Access = {
    dataDir: route.moveData ? moved : dataDir,
    binaries: route.copyBinaries ? await copyBinaries(binaries, home) : binaries,
    runAs: { account, way: route.way },
    ...(!cluster && { maker: { account: makerFor(passwd, account), way: route.way } }),
  }
  if (!route.copyBinaries && !route.moveData) return access
  if (route.moveData) {
    await mkdir(home, { recursive: true, mode: 0o755 })
    await makeDataDir(moved, account)
  }
  const retry = tryOut(account, access.dataDir, access.binaries)
  if (!(await retry(route.way, 'binaries')) || !(await retry(route.way, 'data'))) throw noAccess(account, dataDir)
  return access
}

function noAccess(account: Account, dataDir: string): EmbeddedError {
  return new EmbeddedError(
    `PostgreSQL refuses to run as root and, as ${account.name}, cannot reach ${dataDir}: set DATA_DIR to a directory that every user can reach, or start as an ordinary user`,
  )
}

/** Tests access by trying, because modes, groups, mounts and security modules all matter. */
function tryOut(account: Account, dataDir: string, binaries: Binaries): CanAccess {
  return async (way, what) => {
    const runAs = { account, way }
    if (what === 'binaries') return runsFrom(binaries, runAs)
    const writable = async (directory: string) => (await run(runAs, '/bin/sh', ['-c', 'test -w "$0"', directory])).ok
    const cluster = join(dataDir, 'postgres')
    if (await statIfThere(cluster)) return writable(cluster)
    const sample = await mkdtemp(join(dataDir, '.access-'))
    try {
      await privateDirectory(sample, account)
      return await writable(sample)
    } finally {
      await rmdir(sample)
    }
  }
}

/** `--version` would succeed too early. With `--show`, initdb looks for all the files it needs and creates nothing. */
async function runsFrom(binaries: Binaries, runAs: RunAs): Promise<boolean> {
  const { ok, errors } = await run(runAs, binaries.initdb, ['--show', '-D', '/nonexistent'])
  // initdb found the files, but the account has no name. Such an account already owns data, so initdb is not needed.
  return ok || errors.includes('could not look up effective user ID')
}

/** Copies the programs for all users. Root owns the copy, and later starts reuse it. */
async function copyBinaries(binaries: Binaries, home: string): Promise<Binaries> {
  const { size, mtimeMs } = await stat(binaries.postgres)
  const copy = join(home, `postgresql-${shortHash(`${await realpath(binaries.root)} ${size} ${mtimeMs}`)}`)
  if (await statIfThere(copy)) return binariesIn(copy)
  await mkdir(home, { recursive: true, mode: 0o755 })
  const draft = await mkdtemp(`${copy}-`)
  try {
    await cp(binaries.root, draft, { recursive: true, verbatimSymlinks: true })
    await openToAll(draft)
    await rename(draft, copy)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    // A concurrent start made the same copy.
    if (!(await statIfThere(copy))) throw error
  }
  return binariesIn(copy)
}

/** Makes the copy readable for all users. The original may be in a checkout that only root can read. */
async function openToAll(directory: string): Promise<void> {
  await chmod(directory, 0o755)
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) await openToAll(path)
    else if (entry.isFile()) await chmod(path, 0o755)
  }
}

/** Returns sixteen hexadecimal characters that distinguish paths in a name. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
