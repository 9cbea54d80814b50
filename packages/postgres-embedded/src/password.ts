import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddedError } from './errors.js'

/** The password of the cluster. */
const fileIn = (dataDir: string) => join(dataDir, 'password')
/** The password of a cluster that is about to be made. */
const nextFileIn = (dataDir: string) => `${fileIn(dataDir)}.new`

/**
 * The password of the one role that can connect. While there is no cluster, it is stored as one of a cluster to come, so
 * that servers that start at the same time all make the cluster with the same password. `keepPassword` gives it its
 * name once the cluster is there: a password without its cluster means that the data is gone, and not that there was
 * none yet.
 */
export async function readOrCreatePassword(dataDir: string, hasCluster: () => Promise<boolean>): Promise<string> {
  const kept = await readIfThere(fileIn(dataDir))
  // In this order: another server may have made the cluster just now, before it kept the password.
  const clusterExists = await hasCluster()
  if (kept !== undefined) return clusterExists ? kept : refuse(dataLost(dataDir))
  const next = await readIfThere(nextFileIn(dataDir))
  if (clusterExists) return (await readIfThere(fileIn(dataDir))) ?? next ?? refuse(passwordLost(dataDir))
  const created = next ?? (await createNext(dataDir))
  // A server that was faster has kept its password by now, and what we have read may be none that it knows of.
  return (await readIfThere(fileIn(dataDir))) ?? created
}

/** To be called when the cluster is there. */
export async function keepPassword(dataDir: string): Promise<void> {
  // Unlike a rename, a link does not replace the file of a server that was faster.
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

/** The advice on a lost password, a file beside the data of which no backup of the data knows. */
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
  // Another server may have kept it meanwhile, under its other name.
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
