import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConnectionOptions } from '@collab-spaces/db'
import { eventually, postmasterOf } from '@collab-spaces/testing'
import { onTestFinished } from 'vitest'

/** Creates a data directory, and ends a PostgreSQL that still runs on it after the test. */
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

/** Returns the server's connection to the PostgreSQL of a data directory. */
export async function connectionTo(dataDir: string): Promise<ConnectionOptions> {
  const password = (await readFile(join(dataDir, 'password'), 'utf8')).trim()
  return { host: join(dataDir, 'run'), port: 5432, user: 'spaces', password, database: 'spaces' }
}
