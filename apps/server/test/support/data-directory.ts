import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ConnectionOptions } from '@collab-spaces/db'
import { eventually, PATIENT, Program, postmasterOf, useDirectory } from '@collab-spaces/testing'
import { beforeAll, onTestFinished } from 'vitest'

/** A directory for data; whatever PostgreSQL still runs on it when the test is over is ended. */
export async function dataDirectory(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'spaces-faults-')))
  await chmod(directory, 0o755)
  const dataDir = join(directory, 'data')
  onTestFinished(async () => {
    const pid = await postmasterOf(dataDir)
    if (pid !== undefined) {
      process.kill(pid, 'SIGQUIT')
      await eventually(async () => (await postmasterOf(dataDir)) === undefined)
    }
    await rm(directory, { recursive: true, force: true })
  })
  return dataDir
}

/**
 * For tests of what comes after a first start: what it returns gives a test a directory as `dataDirectory` does, with the
 * data of a server that has run and stopped. To make them takes many times as long as to copy them. Use within `describe`
 * or at the top of a file.
 */
export function useOldData(): () => Promise<string> {
  const kept = useDirectory()
  beforeAll(async () => {
    await chmod(kept.path, 0o755)
    const server = new Program({ ...PATIENT, DATA_DIR: join(kept.path, 'data') })
    try {
      await server.url()
    } finally {
      await server.kill('SIGTERM')
    }
  })
  return async () => {
    const dataDir = await dataDirectory()
    // With the owners of the files: as root, we are not the one who runs PostgreSQL.
    await promisify(execFile)('cp', ['-a', join(kept.path, 'data'), dataDir])
    return dataDir
  }
}

/** As the server connects to the PostgreSQL that runs on the data. */
export async function connectionTo(dataDir: string): Promise<ConnectionOptions> {
  const password = (await readFile(join(dataDir, 'password'), 'utf8')).trim()
  return { host: join(dataDir, 'run'), port: 5432, user: 'spaces', password, database: 'spaces' }
}
