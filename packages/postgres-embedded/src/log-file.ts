import { constants } from 'node:fs'
import { type FileHandle, open, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { EmbeddedError } from './errors.js'
import { statIfThere } from './private-directory.js'

const MAX_LOG_BYTES = 10 * 1024 * 1024

/** Opens PostgreSQL's log for appending. A large log is renamed first; one older log is kept. */
export async function openLog(path: string): Promise<FileHandle> {
  const found = await statIfThere(path)
  if (found && found.size > MAX_LOG_BYTES) await rename(path, `${path}.1`)
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants
  const handle = await open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
  try {
    await requireOwnFile(path, handle)
    if (process.getuid?.() === 0) {
      // The directory may belong to an ordinary user, who must be able to open the log at the next start.
      const { uid, gid } = await stat(dirname(path))
      await handle.chown(uid, gid)
    }
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/**
 * Rejects a log that is a hard link to another file. The owner of the directory could create one, and root must neither
 * write to that file nor change its owner.
 */
async function requireOwnFile(path: string, handle: FileHandle): Promise<void> {
  const found = await handle.stat()
  if (found.isFile() && found.nlink === 1) return
  throw new EmbeddedError(`${path} is not a file of our own: remove it and start again`)
}

const TAIL_BYTES = 64 * 1024

/** Messages for clients that connect during a start or stop. They are never the reason for an exit. */
const REFUSED_CLIENT = /the database system is|terminating connection/

/**
 * Returns why the PostgreSQL with this `pid` has exited, from its log after `offset`: a line without time and prefix.
 */
export async function exitReason(path: string, offset: number, pid: number | undefined): Promise<string> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const { size } = await handle.stat()
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(TAIL_BYTES),
      0,
      TAIL_BYTES,
      Math.max(offset, size - TAIL_BYTES),
    )
    const lines = buffer.subarray(0, bytesRead).toString('utf8').trim().split('\n')
    // Concurrent starts share the file, and a program that fails to load writes no prefix.
    const own = lines.filter((line) => line.includes(`[${pid}]`))
    const isFatal = (line: string) => /FATAL|PANIC/.test(line) && !REFUSED_CLIENT.test(line)
    const reason = own.find(isFatal) ?? lines.find(isFatal) ?? own.at(-1) ?? lines.at(-1) ?? ''
    return reason.replace(/^.*\[\d+\]\s+/, '')
  } finally {
    await handle.close()
  }
}
