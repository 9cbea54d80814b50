import { execFile } from 'node:child_process'
import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describeWith, startProgram, useDirectory } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'

const run = promisify(execFile)
const UNITS = [
  'collaboration-spaces.service',
  'collaboration-spaces-backup.service',
  'collaboration-spaces-backup.timer',
]
const unit = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url))

describe('the systemd unit', () => {
  it('does not restart a server with invalid settings', async () => {
    const text = await readFile(unit('collaboration-spaces.service'), 'utf8')
    const status = Number(/^RestartPreventExitStatus=(\d+)$/m.exec(text)?.[1])
    expect(await startProgram({ PORT: 'eighty' }).end()).toBe(status)
    expect(await startProgram({ PUBLIC_URL: 'https://example.org/spaces' }).end()).toBe(status)
    expect(await startProgram({ DATABASE_URL: 'postgres://ada@127.0.0.1:1/spaces' }).end()).toBe(1)
  })
})

describeWith(['systemd-analyze'], 'systemd', () => {
  const directory = useDirectory()

  it('accepts every directive of the units', async () => {
    for (const name of UNITS) await copyFile(unit(name), join(directory.path, name))
    const { stdout, stderr } = await run('systemd-analyze', [
      'verify',
      ...UNITS.map((name) => join(directory.path, name)),
    ])
    expect(stdout + stderr).toBe('')
  })
})
