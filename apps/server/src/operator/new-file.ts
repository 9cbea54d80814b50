import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { OperatorError } from '@collab-spaces/operator'

/** Throws unless the name is free. */
export async function requireNew(file: string): Promise<void> {
  const exists = await stat(file).then(
    () => true,
    () => false,
  )
  if (exists) throw new OperatorError(`${file} exists: choose another name, or remove it`)
}

/**
 * Writes a file that only this user can read. It has its name only when it is complete and on the disk. Returns its
 * size in bytes, and what the work returns.
 */
export async function writeNew<T>(
  file: string,
  work: (handle: FileHandle) => Promise<T>,
): Promise<{ bytes: number; result: T }> {
  await requireNew(file)
  const draft = `${file}.${process.pid}.partial`
  try {
    const handle = await open(draft, 'wx', 0o600)
    try {
      const result = await work(handle)
      await handle.sync()
      const { size } = await handle.stat()
      await rename(draft, file)
      await syncDirectory(dirname(file))
      return { bytes: size, result }
    } finally {
      await handle.close()
    }
  } catch (error) {
    await rm(draft, { force: true })
    throw isOfFiles(error) ? new OperatorError(`Cannot write ${file}: ${problemOf(error)}`) : error
  }
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}

/** The problem, without the call and the name of our draft. */
export const problemOf = ({ message }: Error) => message.replace(/, \w+ '.*$/s, '')

/** Other errors with such a code come from a connection. */
export function isOfFiles(error: unknown): error is NodeJS.ErrnoException {
  const { syscall, code } = error as NodeJS.ErrnoException
  return error instanceof Error && code !== undefined && syscall !== undefined && FILE_CALLS.has(syscall)
}

const FILE_CALLS = new Set(['open', 'read', 'write', 'writev', 'fsync', 'rename', 'fstat', 'stat'])
