/** A failure the operator can do something about: one line that says what. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError'
}

const FULL = ['ENOSPC', 'EDQUOT']
const FORBIDDEN = ['EACCES', 'EPERM', 'EROFS']
const IN_THE_WAY = ['ENOTDIR', 'EEXIST', 'ENOTEMPTY', 'ELOOP']

/** Turns an error of the file system below `dataDir` into a line for the operator; leaves others alone. */
export function explain(error: unknown, dataDir: string): unknown {
  if (error instanceof EmbeddedError || !(error instanceof Error)) return error
  const { code, path, dest } = error as NodeJS.ErrnoException & { dest?: string }
  if (code && FULL.includes(code)) return diskFull(dataDir)
  if (code && FORBIDDEN.includes(code)) {
    return new EmbeddedError(
      `Cannot use ${dataDir} (${code} at ${path ?? dataDir}): make it writable for this user, or set DATA_DIR to another directory`,
    )
  }
  if (code && IN_THE_WAY.includes(code)) {
    const what = dest ?? path ?? dataDir
    return new EmbeddedError(`${what} is in the way: move it elsewhere, or set DATA_DIR to another directory`)
  }
  return error
}

export function diskFull(dataDir: string): EmbeddedError {
  return new EmbeddedError(`The disk that holds ${dataDir} is full: free some space, then start again`)
}

/** PostgreSQL's own programs give the system's words rather than its code, or the hint only after a short write. */
export function saysDiskFull(text: string): boolean {
  return /No space left on device|Disk quota exceeded|wrote only \d+ of \d+ bytes/.test(text)
}
