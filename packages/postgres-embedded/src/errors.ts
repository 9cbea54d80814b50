/** A failure that the operator can fix. Its message is one line that says how. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError'
}

const DISK_FULL = ['ENOSPC', 'EDQUOT']
const NO_ACCESS = ['EACCES', 'EPERM', 'EROFS']
const MKDIR_SYSCALLS = ['mkdir', 'mkdtemp']
const PATH_CONFLICT = ['ENOTDIR', 'EEXIST', 'ENOTEMPTY', 'ELOOP']

/** Converts a file system error below `dataDir` to an EmbeddedError, and returns other errors unchanged. */
export function explain(error: unknown, dataDir: string): unknown {
  if (error instanceof EmbeddedError || !(error instanceof Error)) return error
  const { code, path, dest, syscall = '' } = error as NodeJS.ErrnoException & { dest?: string }
  if (code && DISK_FULL.includes(code)) return diskFull(dataDir)
  if (code && NO_ACCESS.includes(code)) {
    return new EmbeddedError(
      `Cannot use ${dataDir} (${code} at ${path ?? dataDir}): make it writable for this user, or set DATA_DIR to another directory`,
    )
  }
  // In a directory such as /proc, mkdir fails with ENOENT.
  if (code === 'ENOENT' && MKDIR_SYSCALLS.includes(syscall)) {
    return new EmbeddedError(`Cannot make ${dataDir} (${code}): set DATA_DIR to another directory`)
  }
  if (code && PATH_CONFLICT.includes(code)) {
    const blockingPath = dest ?? path ?? dataDir
    return new EmbeddedError(`${blockingPath} is in the way: move it elsewhere, or set DATA_DIR to another directory`)
  }
  return error
}

export function diskFull(dataDir: string): EmbeddedError {
  return new EmbeddedError(`The disk that holds ${dataDir} is full: free some space and start again`)
}

/** PostgreSQL reports the system's message without its code; after a short write, only the numbers of bytes. */
export function saysDiskFull(text: string): boolean {
  return /No space left on device|Disk quota exceeded|wrote only \d+ of \d+ bytes/.test(text)
}
