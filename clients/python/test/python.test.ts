import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describeWith, PATIENT, programPath, servingConnection, urlOf, useProgram } from '@collab-spaces/testing'
import { expect, it } from 'vitest'

const CLIENT = join(import.meta.dirname, '..')
const SUITES = readdirSync(import.meta.dirname).filter((name) => /^test_\w+\.py$/.test(name))

const run = promisify(execFile)
const ROOM_FOR_OUTPUT = { maxBuffer: 16 * 2 ** 20 }

describeWith(['python3'], 'the Python client', () => {
  const server = useProgram()

  /** `pnpm docs:python` writes it. */
  it('has the operations of the document', async () => {
    const generate = [join(CLIENT, 'generate.py'), `${server.url}/openapi.json`]
    const { stdout } = await run('python3', generate, ROOM_FOR_OUTPUT)
    await expect(stdout).toMatchFileSnapshot(join(CLIENT, 'collaboration_spaces/operations.py'))
  })

  it.each(SUITES)('passes %s', async (suite) => {
    const environment = {
      ...PATIENT,
      PATH: programPath(),
      DATABASE_URL: urlOf(servingConnection(server.connection)),
      MIGRATION_DATABASE_URL: urlOf(server.connection),
      PYTHONDONTWRITEBYTECODE: '1',
    }
    // It names what failed on its standard error.
    const { stderr } = await run('python3', ['-m', 'unittest', '-v', suite.replace('.py', '')], {
      ...ROOM_FOR_OUTPUT,
      cwd: import.meta.dirname,
      env: environment,
    })
    expect(stderr).toMatch(/^Ran [1-9]\d* tests? in .*\n\nOK\n$/m)
  })
})
