import { spawnSync } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeWith, useDirectory } from '@collab-spaces/testing'
import {
  Example,
  FAULTS,
  injectFault,
  injectFaultUnprotected,
  isLoss,
  loadOn,
  SHORT,
  Trial,
} from '@collab-spaces/torture/high-availability'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { postgresDirectory } from '../software.mjs'

const START = fileURLToPath(new URL('../start.mjs', import.meta.url))
const SWITCH_OVER = fileURLToPath(new URL('../switch-over.mjs', import.meta.url))
/** A load that leaves capacity for concurrent tests. */
const LOAD = { writers: 6, readers: 8, restMs: 50 }
/** A factor for busy machines. Row HA of the torture measures the exact times. */
const SIZES = { ...SHORT, slack: 8 }
const postgres = join(postgresDirectory() ?? '/usr/lib/postgresql/15/bin', 'postgres')

const trialOf = (seed: number) => new Trial(SIZES, seed, () => Promise.reject(new Error('it has its own database')))

describeWith(['haproxy', 'etcd', 'patroni', postgres], 'three database machines under load', () => {
  const directory = useDirectory()
  const trial = trialOf(1)
  const unprotected = trialOf(2)
  let example: Example
  let load: Awaited<ReturnType<typeof loadOn>>

  beforeAll(async () => {
    // Under root, another user runs PostgreSQL.
    await chmod(directory.path, 0o755)
    const begun = (made: Example) => trial.cleanup.add(() => made.stop())
    example = await Example.start(join(directory.path, 'data'), begun, { DATABASE_TIMEOUT: '3' })
    load = await loadOn(example, trial, LOAD)
  })

  afterAll(async () => {
    await unprotected.cleanup.run()
    await trial.cleanup.run()
  })

  it.each(FAULTS.map((fault) => [fault.name, fault] as const))(
    'continue to serve after a fault: %s',
    async (_, fault) => {
      await injectFault(example, load, fault, trial)
      expect(trial.violations).toEqual([])
    },
    240_000,
  )

  it('have lost, duplicated and reordered no event, for any reader', async () => {
    const { acknowledged, streams } = await load.finish(await example.connection())
    expect(trial.violations).toEqual([])
    expect(acknowledged).toBeGreaterThan(FAULTS.length * 40)
    expect(streams).toBe(LOAD.readers)
  })

  it('lose acknowledged events without synchronous commits, which the check detects', async () => {
    const violations = await injectFaultUnprotected(example, unprotected, LOAD)
    expect(violations.filter(isLoss)).not.toEqual([])
  })
})

it.each([
  ['no Patroni answers', ['http://127.0.0.1:2'], /^Cannot switch over: .*ECONNREFUSED.*\n$/, 1],
  ['it gets no URL', [], /^Usage: switch-over\.mjs URL, .*\n$/, 2],
] as const)('switch-over.mjs does nothing when %s, and prints the reason in one line', (_, args, line, code) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SWITCH_OVER, ...args], { encoding: 'utf8' })
  expect(stdout).toMatch(line)
  expect({ status, stderr }).toEqual({ status: code, stderr: '' })
})

// This PATH contains neither the programs nor their installer.
it('start.mjs prints in one line which programs are missing', () => {
  const options = { env: { PATH: '/nowhere' }, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [START], options)
  expect(stdout).toMatch(/^Cannot start: .*\betcd and patroni\b.* are not installed \(.*\)\n$/)
  expect({ status, stderr }).toEqual({ status: 1, stderr: '' })
})
