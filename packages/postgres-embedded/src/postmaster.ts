import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { lastWords, openLog } from './log-file.js'
import type { Place } from './place.js'
import { commandOf, isAlive } from './process.js'
import { start } from './run-as.js'
import { settings } from './settings.js'

/** A PostgreSQL that is our own child. */
export interface Postmaster {
  child: ChildProcess
  /** Settled when it has exited. */
  exited: Promise<void>
  /** Why it exited, in its own words. */
  reason(): Promise<string>
}

/**
 * Starts PostgreSQL. In a process group of its own, so that Ctrl-C canAccess only the server, which
 * lets its requests finish first.
 *
 * `stranger` is a living process that has got the number noted in postmaster.pid but is no
 * PostgreSQL (in a container numbers come again soon). PostgreSQL would take it for its
 * predecessor and refuse for ever; named as a grandparent it is not mistaken for one. Whether the
 * shared memory of a predecessor is still in use is checked all the same.
 */
export async function startPostmaster(place: Place, stranger: number | undefined): Promise<Postmaster> {
  const log = await openLog(place.logFile)
  try {
    const { size } = await log.stat()
    const args = Object.entries(settings(place.connection.host)).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const child = start(place.runAs, place.binaries.postgres, ['-D', place.cluster, ...args], {
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      env: stranger ? { PG_GRANDPARENT_PID: String(stranger) } : {},
    })
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    // A program that cannot be started rejects the next line; nobody else needs to hear of it.
    child.on('error', () => {})
    await once(child, 'spawn')
    return { child, exited, reason: () => lastWords(place.logFile, size, child.pid) }
  } finally {
    await log.close()
  }
}

export function hasExited({ child }: Postmaster): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** Fast: ends connections, writes a checkpoint. Immediate: the next start recovers from the log. Then by force. */
const STOP = [
  { signal: 'SIGINT', wait: 6_000 },
  { signal: 'SIGQUIT', wait: 2_000 },
  { signal: 'SIGKILL', wait: 2_000 },
] as const

export async function stopPostmaster(postmaster: Postmaster): Promise<void> {
  for (const { signal, wait } of STOP) {
    if (hasExited(postmaster)) return
    postmaster.child.kill(signal)
    const timer = new AbortController()
    await Promise.race([postmaster.exited, delay(wait, undefined, { signal: timer.signal }).catch(() => {})])
    timer.abort()
  }
}

/** Stops one that is not our child. A little more patient: nobody waits for a shutdown here. */
export async function stopOrphan(cluster: string, pid: number): Promise<void> {
  for (const { signal, wait } of STOP) {
    const deadline = Date.now() + wait * 5
    if (await runsOn(cluster, pid)) process.kill(pid, signal)
    while (Date.now() < deadline) {
      if (!(await runsOn(cluster, pid))) return
      await delay(10)
    }
  }
}

export interface PidFile {
  pid: number
  /** Missing in the first moments of a start. */
  socketDirectory: string | undefined
}

/** PostgreSQL's own note of who runs on the cluster. It may be of a process long gone. */
export async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  return pid > 0 ? { pid, socketDirectory: lines[4] || undefined } : undefined
}

/** Is this process a PostgreSQL that runs on this cluster? Its number may have been given to another since. */
export async function runsOn(cluster: string, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false
  const command = await commandOf(pid)
  // Better to wait for a stranger than to take a PostgreSQL for one.
  if (command === '') return true
  if (!command.includes('postgres ')) return false
  if (command.includes(` -D ${cluster} `)) return true
  // It works in its data directory, also after that was renamed. Not everybody may look there.
  const [here, there] = await Promise.all([stat(cluster), stat(`/proc/${pid}/cwd`).catch(() => undefined)])
  return there !== undefined && here.dev === there.dev && here.ino === there.ino
}
