import { constants } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, open, rename, rmdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Account } from './account.js'
import { EmbeddedError } from './errors.js'

/** The stats of whatever has this name; undefined when nothing has. Throws when we may not look. */
export async function statIfThere(path: string) {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

/**
 * Creates a directory that only `account`, or this user, can enter, or verifies an existing one. Works on the opened
 * directory instead of its name, so that no other process can replace it in between.
 */
export async function privateDirectory(path: string, account: Account | undefined): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants
  const opened = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch(() => undefined)
  try {
    const me = process.getuid?.()
    const owner = account?.uid ?? me
    const found = await opened?.stat()
    if (!opened || !found || (found.uid !== owner && found.uid !== me)) {
      throw new EmbeddedError(`${path} is not a directory of our own: remove it and start again`)
    }
    await opened.chmod(0o700)
    if (account && found.uid !== account.uid) await opened.chown(account.uid, account.gid)
  } finally {
    await opened?.close()
  }
}

/**
 * Creates the data directory, if missing, for this user alone. When root runs PostgreSQL as another account, the group
 * of that account may pass through it. An existing directory is not changed.
 */
export async function makeDataDir(path: string, account: Account | undefined): Promise<void> {
  if (await statIfThere(path)) return
  await mkdir(dirname(path), { recursive: true })
  // Renamed only when its mode is right, so that a concurrent start never sees it half done.
  const draft = await mkdtemp(join(dirname(path), `.${basename(path)}-`))
  if (account) {
    await chown(draft, 0, account.gid)
    await chmod(draft, 0o710)
  }
  await rename(draft, path).catch(async (error: NodeJS.ErrnoException) => {
    await rmdir(draft)
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
}
