import { execFile } from 'node:child_process'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { blocksIn, describeWith, useDirectory, useProgram } from '@collab-spaces/testing'
import { beforeAll, expect, it } from 'vitest'

const EXAMPLE = join(import.meta.dirname, '..')
/** The compiler of this repository comes first, then the generators. */
const PROGRAMS = [join(EXAMPLE, '../../node_modules/.bin'), join(EXAMPLE, 'node_modules/.bin')]
// biome-ignore lint/style/noProcessEnv: programs are found where the test run finds them
const PATH = [...PROGRAMS, process.env.PATH].join(':')

/** The packages of `npm install` are installed already, and `npx` runs them. */
const INSTALLED = 'set -e\nnpm() { [ "$1" = install ] || command npm "$@"; }\nnpx() { "$@"; }\n'

const h = useProgram({ HEAVY_READ_LIMIT: '1' })
const run = promisify(execFile)
/** Below the dependencies of the example, which generated code imports its runtime from. */
const directory = useDirectory(join(EXAMPLE, 'node_modules'))

describeWith(['bash', 'npm'], 'a client that is generated from /openapi.json', () => {
  let make = ''
  beforeAll(async () => {
    await cp(join(EXAMPLE, 'src'), directory.path, { recursive: true })
    const readme = await readFile(join(EXAMPLE, 'README.md'), 'utf8')
    const commands = blocksIn(readme).map(({ text }) => text.replaceAll('http://127.0.0.1:8080', h.url))
    make = commands.join('').replace(/^node .*\n/gm, '')
    await run('bash', ['-c', INSTALLED + make], { cwd: directory.path, env: { PATH, NO_COLOR: '1' } }).catch(
      ({ stdout, stderr }) => {
        throw new Error(stdout + stderr)
      },
    )
  })

  it.each(['hey-api', 'openapi-fetch'])('compiles, calls, streams and returns errors: %s', async (name) => {
    const { stdout } = await run(process.execPath, [`dist/${name}.js`, h.url], { cwd: directory.path })
    const [first, ...limited] = stdout.split(/^(?=Wait)/m)
    expect(first?.split('\n')).toEqual([
      'Ada: Where shall we go?',
      '1 event',
      'Go to the sea: resolved',
      expect.stringMatching(/^400 text: /),
      expect.stringMatching(/^404 .*event/i),
      expect.stringMatching(/^409 .*space/i),
      '',
    ])
    expect(limited.join('')).toMatch(/^Wait \d+ s: \w/)
  })
})
