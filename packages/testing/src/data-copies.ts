import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryDirectory } from './temporary-directory.js'

/**
 * Data directories that are alike at first: `make` fills one when the first is wanted, and each is a copy of that. To make
 * the cluster of a PostgreSQL takes many times as long. All that `make` starts has to end in it.
 */
export function dataCopies(make: (dataDir: string) => Promise<void>): (dataDir: string) => Promise<void> {
  let original: Promise<string> | undefined
  return async (dataDir) => {
    original ??= makeOriginal(make)
    // With the owners of the files: as root, we are not the one who runs PostgreSQL.
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
