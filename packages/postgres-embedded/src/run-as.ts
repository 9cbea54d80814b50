import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Account } from './account.js'

/** How to start PostgreSQL's programs: as this user, or from root as an unprivileged account. */
export interface RunAs {
  /** Absent: this user. */
  account?: Account
  /** `setpriv` keeps one capability: to pass through directories that only root can enter. */
  way: 'plain' | 'setpriv'
}

/**
 * Inherits nothing from our environment: it may hold secrets, and PG* variables would change PostgreSQL's behaviour.
 */
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
    // PostgreSQL checks its files with access(2), which ignores capabilities without this bit.
    '--securebits=+no_setuid_fixup',
  ]
  return spawn('setpriv', [...drop, file, ...args], common)
}

/**
 * Runs a program to its end. Never throws: a failure to start is returned in `errors`. Ctrl-C does not reach the
 * program, so that an aborted start does not look like a failed initdb.
 */
export async function run(runAs: RunAs, file: string, args: string[], input = '') {
  const child = start(runAs, file, args, { stdio: ['pipe', 'ignore', 'pipe'], detached: true })
  // A program that exits early breaks the pipe. Its exit code reports the failure.
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  try {
    const [[code], errors] = await Promise.all([once(child, 'close'), child.stderr ? text(child.stderr) : ''])
    return { ok: code === 0, errors }
  } catch (error) {
    return { ok: false, errors: String(error) }
  }
}
