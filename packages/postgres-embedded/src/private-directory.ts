import { constants } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, open, rename, rmdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Account } from './account.js'
import { EmbeddedError } from './errors.js'

/** Is there anything of this name? Throws when we may not look. */
export async function statIfThere(path: string) {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

/**
 * Makes a directory that only `account` (or we) can enter, or checks that it is one already.
 * Looks at the opened directory, not at its name, so that nobody can swap it for another meanwhile.
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
      throw new EmbeddedError(`${path} is not a directory of our own: remove it, then start again`)
    }
    await opened.chmod(0o700)
    if (account && found.uid !== account.uid) await opened.chown(account.uid, account.gid)
  } finally {
    await opened?.close()
  }
}

/**
 * Makes the data directory, if it is missing, for us alone. When root runs PostgreSQL as another
 * account, that account's group may pass through to what is its own below, and nobody else.
 * An existing directory is left as the operator made it.
 */
export async function makeDataDir(path: string, account: Account | undefined): Promise<void> {
  if (await statIfThere(path)) return
  await mkdir(dirname(path), { recursive: true })
  // Finished under another name first: a second server starting now must not see it half open.
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
