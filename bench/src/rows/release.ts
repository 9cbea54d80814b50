import { execFile } from 'node:child_process'
import { lstat, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryDirectory } from '@collab-spaces/testing/programs'
import type { Row } from '../row.js'
import { Server } from '../service/server.js'

const run = promisify(execFile)

export const release: Row = {
  name: 'release',
  title: 'the tarball, started where nothing was',
  about:
    'What is published of the checkout: the size of its tarball, unpacked, and the time from the start of the server in ' +
    'it on an empty data directory to the line that says it is ready, with a PostgreSQL that is made first.',
  tools: [],
  tests: 'release/test',
  claims: [
    {
      measured: 'the tarball, unpacked',
      side: 'tarball',
      figure: 'megabytes',
      bound: 'at most',
      unit: 'MB',
      must: 120,
      aim: 90,
    },
    {
      measured: 'the tarball, from nothing to ready',
      side: 'tarball',
      figure: 'seconds',
      bound: 'at most',
      unit: 's',
      must: 3,
      aim: 2,
    },
  ],
  async service({ checkout }) {
    const directory = await temporaryDirectory()
    const made = join(directory, 'made')
    await run(process.execPath, [checkout.release, made])
    const [tarball = ''] = (await readdir(made)).filter((name) => name.endsWith(`-${process.arch}.tar.gz`))
    await run('tar', ['-xzf', join(made, tarball), '-C', directory])
    const tree = join(directory, tarball.replace('.tar.gz', ''))
    const files = await readdir(tree, { recursive: true })
    const sizes = await Promise.all(files.map(async (file) => (await lstat(join(tree, file))).size))
    const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6
    const measure = async () => {
      const place = join(directory, 'run')
      await mkdir(place)
      const server = await Server.start(join(tree, 'apps/server/dist/main.js'), place)
      const seconds = server.readyMs / 1_000
      await server.stop()
      await rm(place, { recursive: true })
      return { megabytes, seconds }
    }
    return { measures: { tarball: measure }, close: () => rm(directory, { recursive: true }) }
  },
}
