import { spawnSync } from 'node:child_process'
import { delimiter } from 'node:path'
import { describe } from 'vitest'

/** The directories of proxies, which are not in the PATH of an ordinary user. */
const ADMIN_DIRECTORIES = ['/usr/local/sbin', '/usr/sbin']

/** The PATH of the tests. */
export const programPath = (): string =>
  // biome-ignore lint/style/noProcessEnv: programs are found where the test run finds them, all else is given
  [process.env.PATH, ...ADMIN_DIRECTORIES].join(delimiter)

const isInstalled = (program: string) =>
  spawnSync(program, ['--version'], { env: { PATH: programPath() }, stdio: 'ignore' }).error === undefined

/**
 * Returns a suffix for the names of tests that are skipped for lack of a program; empty if all exist. The end of a test
 * run lists these tests (`vitest.config.ts`), so that skipped tests do not pass for passed ones.
 */
export function leftOut(...programs: readonly string[]): string {
  const missing = programs.filter((program) => !isInstalled(program))
  return missing.length === 0 ? '' : ` (left out: ${missing.join(' and ')} not installed)`
}

/** Declares tests that need programs which not every machine has. */
export function describeWith(programs: readonly string[], name: string, tests: () => void): void {
  const why = leftOut(...programs)
  describe.skipIf(why !== '')(name + why, tests)
}
