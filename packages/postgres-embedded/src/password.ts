import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddedError } from './errors.js'

/** The password of the cluster. */
const fileIn = (dataDir: string) => join(dataDir, 'password')
/** The password of a cluster that does not exist yet. */
const nextFileIn = (dataDir: string) => `${fileIn(dataDir)}.new`

/**
 * Returns the password of the owner's role. Before the cluster exists, the password is stored under another name, so
 * that concurrent starts all create the cluster with the same password. `keepPassword` renames it once the cluster
 * exists. A password without a cluster therefore means lost data, not a first start.
 */
export async function readOrCreatePassword(dataDir: string, hasCluster: () => Promise<boolean>): Promise<string> {
  const kept = await readIfThere(fileIn(dataDir))
  // In this order: a concurrent start may have created the cluster just now, before it kept the password.
  const clusterExists = await hasCluster()
  if (kept !== undefined) return clusterExists ? kept : refuse(dataLost(dataDir))
  const next = await readIfThere(nextFileIn(dataDir))
  if (clusterExists) return (await readIfThere(fileIn(dataDir))) ?? next ?? refuse(passwordLost(dataDir))
  const created = next ?? (await createNext(dataDir))
  // A concurrent start has kept its password by now, which may differ from ours.
  return (await readIfThere(fileIn(dataDir))) ?? created
}

/** Renames the password to its final name. Call it once the cluster exists. */
export async function keepPassword(dataDir: string): Promise<void> {
  // Unlike a rename, a link does not overwrite the file of a concurrent start.
  await link(nextFileIn(dataDir), fileIn(dataDir)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST' && error.code !== 'ENOENT') throw error
  })
  await rm(nextFileIn(dataDir), { force: true })
}

function refuse(error: EmbeddedError): never {
  throw error
}

const dataLost = (dataDir: string) =>
  new EmbeddedError(
    `${join(dataDir, 'postgres')} is missing, but ${fileIn(dataDir)} is there, so there was data: restore it, or remove that file to start without it`,
  )

/** The advice for a lost password, which is stored next to the data and in no backup. */
export const PUT_PASSWORD_BACK =
  'put it back from a copy of the data directory, or restore a backup by `operate backup`, which does not hold it, into another DATA_DIR'

const passwordLost = (dataDir: string) =>
  new EmbeddedError(`${fileIn(dataDir)} is missing, and the data cannot be opened without it: ${PUT_PASSWORD_BACK}`)

async function createNext(dataDir: string): Promise<string> {
  const file = nextFileIn(dataDir)
  const draft = `${file}-${process.pid}-${randomBytes(4).toString('hex')}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${randomBytes(32).toString('hex')}\n`)
    if (process.getuid?.() === 0) {
      const { uid, gid } = await stat(dataDir)
      await handle.chown(uid, gid)
    }
    await handle.sync()
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await handle.close()
    await rm(draft, { force: true })
  }
  // A concurrent start may have renamed it meanwhile.
  return (await readIfThere(file)) ?? (await readFile(fileIn(dataDir), 'utf8')).trim()
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim() || undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
