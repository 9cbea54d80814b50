import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter } from 'node:path'

/** The PATH in which programs are found: Debian and others install some where only that of root leads. */
export const programPath = (/** @type {string | undefined} */ further = undefined) =>
  // biome-ignore lint/style/noProcessEnv: programs are found in the PATH of this one
  [process.env.PATH, '/usr/local/sbin', '/usr/sbin', ...(further ? [further] : [])].join(delimiter)

/** Debian asks it whether a package may start its services. */
const POLICY = '/usr/sbin/policy-rc.d'
const NO_SERVICES = '#!/bin/sh\nexit 101\n'

/**
 * Installs what is missing with apt-get, as root on Debian and the like. Throws where that is not possible.
 *
 * @param {Readonly<Record<string, readonly string[]>>} software programs, and the packages that have them
 * @param {(line: string) => void} say
 * @param {() => string | undefined} [further] where else programs may be
 */
export function installWhenMissing(software, say, further = () => undefined) {
  const isInstalled = (/** @type {string} */ program) =>
    spawnSync(program, ['--version'], { env: { PATH: programPath(further()) } }).error === undefined
  const missing = () => Object.keys(software).filter((program) => !isInstalled(program))
  const programs = missing()
  if (programs.length === 0) return
  const packages = programs.flatMap((program) => software[program] ?? [])
  const told = `${programs.join(' and ')} ${programs.length > 1 ? 'are' : 'is'} not installed`
  if (spawnSync('apt-get', ['--version']).status !== 0 || process.getuid?.() !== 0) {
    throw new Error(`${told} (on Debian and Ubuntu: sudo apt-get install ${packages.join(' ')})`)
  }
  say(`Installing ${programs.join(', ')}: apt-get install ${packages.join(' ')}`)
  withoutServices(() => {
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore' })
    execFileSync('apt-get', ['install', '-qq', '-y', '--no-install-recommends', ...packages], { stdio: 'ignore' })
  })
  if (missing().length > 0) throw new Error(`${missing().join(' and ')} could not be installed`)
}

/** The example alone starts the software that is installed. */
function withoutServices(/** @type {() => void} */ install) {
  if (existsSync(POLICY)) return install()
  writeFileSync(POLICY, NO_SERVICES, { mode: 0o755 })
  try {
    install()
  } finally {
    rmSync(POLICY)
  }
}
