/** A failure that the operator can fix. Its message is one line that says how. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError'
}

const FULL = ['ENOSPC', 'EDQUOT']
const FORBIDDEN = ['EACCES', 'EPERM', 'EROFS']
const MAKING = ['mkdir', 'mkdtemp']
const IN_THE_WAY = ['ENOTDIR', 'EEXIST', 'ENOTEMPTY', 'ELOOP']

/** Converts a file system error below `dataDir` to an EmbeddedError, and returns other errors unchanged. */
export function explain(error: unknown, dataDir: string): unknown {
  if (error instanceof EmbeddedError || !(error instanceof Error)) return error
  const { code, path, dest, syscall = '' } = error as NodeJS.ErrnoException & { dest?: string }
  if (code && FULL.includes(code)) return diskFull(dataDir)
  if (code && FORBIDDEN.includes(code)) {
    return new EmbeddedError(
      `Cannot use ${dataDir} (${code} at ${path ?? dataDir}): make it writable for this user, or set DATA_DIR to another directory`,
    )
  }
  // In a directory such as /proc, mkdir fails with ENOENT.
  if (code === 'ENOENT' && MAKING.includes(syscall)) {
    return new EmbeddedError(`Cannot make ${dataDir} (${code}): set DATA_DIR to another directory`)
  }
  if (code && IN_THE_WAY.includes(code)) {
    const what = dest ?? path ?? dataDir
    return new EmbeddedError(`${what} is in the way: move it elsewhere, or set DATA_DIR to another directory`)
  }
  return error
}

export function diskFull(dataDir: string): EmbeddedError {
  return new EmbeddedError(`The disk that holds ${dataDir} is full: free some space and start again`)
}

/** PostgreSQL reports the system's message instead of its code, and after a short write only the number of bytes. */
export function saysDiskFull(text: string): boolean {
  return /No space left on device|Disk quota exceeded|wrote only \d+ of \d+ bytes/.test(text)
}
