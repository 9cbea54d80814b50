import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryDirectory } from './temporary-directory.js'

/**
 * Creates identical data directories: `make` fills the first one, and each result is a copy of it, since creating the
 * cluster of a PostgreSQL takes many times as long. `make` must end everything that it starts.
 */
export function dataCopies(make: (dataDir: string) => Promise<void>): (dataDir: string) => Promise<void> {
  let original: Promise<string> | undefined
  return async (dataDir) => {
    original ??= makeOriginal(make)
    // Preserves the owners of the files: under root, another account runs PostgreSQL.
    await promisify(execFile)('cp', ['-a', await original, dataDir])
  }
}

async function makeOriginal(make: (dataDir: string) => Promise<void>): Promise<string> {
  const directory = await temporaryDirectory()
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const dataDir = join(directory, 'data')
  await make(dataDir)
  return dataDir
}
