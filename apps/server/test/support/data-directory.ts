import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConnectionOptions } from '@collab-spaces/db'
import { eventually, postmasterOf } from '@collab-spaces/testing'
import { onTestFinished } from 'vitest'

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

/** As the server connects to the PostgreSQL that runs on the data. */
export async function connectionTo(dataDir: string): Promise<ConnectionOptions> {
  const password = (await readFile(join(dataDir, 'password'), 'utf8')).trim()
  return { host: join(dataDir, 'run'), port: 5432, user: 'spaces', password, database: 'spaces' }
}
