import { execFile } from 'node:child_process'
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connectionTo, eventually, postmasterOf } from '@collab-spaces/testing/programs'
import { Load } from '../load/load.js'
import type { Row } from '../row.js'
import { send } from '../service/http.js'
import type { Trial } from '../trial.js'

const run = promisify(execFile)
const MEGABYTE = 1024 * 1024
const DISK_MB = 400
const KEPT_FREE_MB = 128

export const fullDisk: Row = {
  name: 'disk',
  title: 'a disk that fills up',
  about:
    'The disk of the embedded PostgreSQL is filled under load until writes are refused, and then freed. Writes get 503, ' +
    'reads continue, PostgreSQL never stops, writes recover without a restart, and acknowledged writes are kept.',
  async whyNot() {
    if (process.platform !== 'linux') return 'the small file system needs Linux'
    return process.getuid?.() === 0 ? undefined : 'only root may mount a small file system'
  },
  async run(trial) {
    const directory = await smallDisk(trial)
    const dataDir = join(directory, 'data')
    const server = await trial.embeddedServer(dataDir, { MIN_FREE_DISK_MB: String(KEPT_FREE_MB) })
    const load = await Load.start(trial, { urls: [server.url] })
    const postmaster = await postmasterOf(dataDir)
    const ballast = join(directory, 'ballast')
    const [hot] = load.spaces
    let floods = 0
    while (trial.hasTimeFor(floods)) {
      await load.more(20)
      const refused = load.refusals.honest
      // Less than the reserve is left, and sometimes nothing at all.
      const left = trial.random() < 0.3 ? 0 : trial.between(1, KEPT_FREE_MB - 10)
      await writeFile(ballast, Buffer.alloc(((await freeMegabytes(directory)) - left) * MEGABYTE)).catch(() => {})
      await eventually(() => load.refusals.honest > refused)
      const { status } = await send(server.url, { path: `/api/spaces/${hot}/events`, key: load.key })
      trial.require(status === 200, `a read was answered ${status} while the disk was full`)
      await rm(ballast)
      floods++
      await load.more(20)
    }
    trial.require((await postmasterOf(dataDir)) === postmaster, 'PostgreSQL has stopped meanwhile')
    return { ...(await load.finish(await connectionTo(dataDir))), 'times full': floods }
  },
}

async function smallDisk(trial: Trial): Promise<string> {
  const directory = join(await trial.directory(), 'disk')
  await mkdir(directory)
  await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=755`, 'tmpfs', directory])
  trial.cleanup.add(() => run('umount', ['--lazy', directory]))
  return directory
}

async function freeMegabytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return Math.floor((bavail * bsize) / MEGABYTE)
}
