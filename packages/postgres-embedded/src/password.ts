import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddedError } from './errors.js'

/**
 * The password of the one role that can connect. It is stored before the cluster is made, so that servers that start at
 * the same time all make the cluster with the same password.
 */
export async function readOrCreatePassword(dataDir: string, clusterExists: boolean): Promise<string> {
  const file = join(dataDir, 'password')
  const existing = await readIfThere(file)
  if (existing) return existing
  if (clusterExists) {
    throw new EmbeddedError(`${file} is missing, and the data cannot be opened without it: restore it from a backup`)
  }
  const draft = `${file}-${process.pid}-${randomBytes(4).toString('hex')}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${randomBytes(32).toString('hex')}\n`)
    if (process.getuid?.() === 0) {
      const { uid, gid } = await stat(dataDir)
      await handle.chown(uid, gid)
    }
    await handle.sync()
    // Unlike a rename, a link does not replace the file of a server that was faster.
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await handle.close()
    await rm(draft, { force: true })
  }
  return (await readFile(file, 'utf8')).trim()
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
