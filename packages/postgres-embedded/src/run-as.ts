import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Account } from './account.js'

/** How PostgreSQL's programs are started: as this user, or by root as an unprivileged account. */
export interface RunAs {
  /** Absent: this user. */
  account?: Account
  /** `setpriv` leaves the account one capability: to pass through directories that only root can enter. */
  way: 'plain' | 'setpriv'
}

/** Nothing from our own environment: it may hold secrets, and PG* variables would change what PostgreSQL does. */
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' }

export function start(
  runAs: RunAs,
  file: string,
  args: string[],
  options: Pick<SpawnOptions, 'stdio' | 'detached' | 'env'>,
): ChildProcess {
  const { account, way } = runAs
  const common = { ...options, cwd: '/', env: { ...ENVIRONMENT, ...options.env } }
  if (!account) return spawn(file, args, common)
  if (way === 'plain') return spawn(file, args, { ...common, uid: account.uid, gid: account.gid })
  const drop = [
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    '--clear-groups',
    '--inh-caps=+dac_read_search',
    '--ambient-caps=+dac_read_search',
    // PostgreSQL looks for its files with access(2), which ignores capabilities without this bit.
    '--securebits=+no_setuid_fixup',
  ]
  return spawn('setpriv', [...drop, file, ...args], common)
}

/**
 * Runs a program to its end. Never throws: that a program cannot be started is an outcome too, and the reason is among its
 * errors. Ctrl-C does not reach it: a start that is given up should not look like a database that cannot be made.
 */
export async function run(runAs: RunAs, file: string, args: string[], input = '') {
  const child = start(runAs, file, args, { stdio: ['pipe', 'ignore', 'pipe'], detached: true })
  // A program that ends before it has read everything breaks the pipe; its exit code says what happened.
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  try {
    const [[code], errors] = await Promise.all([once(child, 'close'), child.stderr ? text(child.stderr) : ''])
    return { ok: code === 0, errors }
  } catch (error) {
    return { ok: false, errors: String(error) }
  }
}
