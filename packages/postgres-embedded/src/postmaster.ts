import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { exitReason, openLog } from './log-file.js'
import type { PreparedData } from './prepared-data.js'
import { statIfThere } from './private-directory.js'
import { childrenOf, commandOf, isAlive } from './process.js'
import { start } from './run-as.js'
import { settings } from './settings.js'

/** A PostgreSQL that is a child of this process. */
export interface Postmaster {
  child: ChildProcess
  /** Resolves when the process has exited. */
  exited: Promise<void>
  /** Returns the reason for its exit, from its log. */
  reason(): Promise<string>
}

/**
 * Starts PostgreSQL in a dedicated process group, so that Ctrl-C reaches only the server, which finishes its requests
 * first. `reusedPid` is the number in postmaster.pid if another program has it by now, which is common in containers.
 * PostgreSQL would take that program for a running predecessor and refuse to start. It makes an exception for its
 * grandparent, so the number is passed as that. It still checks whether the shared memory of a predecessor is in use.
 */
export async function startPostmaster(data: PreparedData, reusedPid: number | undefined): Promise<Postmaster> {
  const log = await openLog(data.logFile)
  try {
    const { size } = await log.stat()
    const args = Object.entries(settings(data.connection.host, data.connections)).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ])
    const child = start(data.runAs, data.binaries.postgres, ['-D', data.cluster, ...args], {
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      env: reusedPid ? { PG_GRANDPARENT_PID: String(reusedPid) } : {},
    })
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    // If the program cannot be started, the next line rejects. Without a listener, the event would end this process.
    child.on('error', () => {})
    await once(child, 'spawn')
    return { child, exited, reason: () => exitReason(data.logFile, size, child.pid) }
  } finally {
    await log.close()
  }
}

export function hasExited({ child }: Postmaster): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/**
 * The shutdown modes in order: fast (ends connections, writes a checkpoint), immediate (the next start recovers), and
 * kill. Each has a share of the timeout.
 */
const STOP = [
  { signal: 'SIGINT', share: 0.6 },
  { signal: 'SIGQUIT', share: 0.2 },
  { signal: 'SIGKILL', share: 0.2 },
] as const

/** Stops PostgreSQL within a timeout in milliseconds. */
export async function stopPostmaster(postmaster: Postmaster, within = 10_000): Promise<void> {
  for (const { signal, share } of STOP) {
    if (hasExited(postmaster)) return
    const { child } = postmaster
    // Frozen child processes end only by SIGKILL, and would block the next PostgreSQL from the data.
    const frozen = signal === 'SIGKILL' && child.pid !== undefined ? await childrenOf(child.pid) : []
    child.kill(signal)
    for (const pid of frozen) killIfThere(pid)
    const timer = new AbortController()
    await Promise.race([postmaster.exited, delay(within * share, undefined, { signal: timer.signal }).catch(() => {})])
    timer.abort()
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already exited.
  }
}

/** Shutdown timeout for an orphaned PostgreSQL. */
const ORPHAN_TIMEOUT_MS = 50_000

/** Stops a PostgreSQL that is not a child of this process. */
export async function stopOrphan(cluster: string, pid: number): Promise<void> {
  for (const { signal, share } of STOP) {
    const deadline = Date.now() + ORPHAN_TIMEOUT_MS * share
    const frozen = signal === 'SIGKILL' ? await childrenOf(pid) : []
    if (await runsOn(cluster, pid)) process.kill(pid, signal)
    for (const child of frozen) killIfThere(child)
    while (Date.now() < deadline) {
      if (!(await runsOn(cluster, pid))) return
      await delay(10)
    }
  }
}

const PID_FILE = 'postmaster.pid'

/** Returns the process id in postmaster.pid. That process may have exited long ago. */
export async function readPidFile(cluster: string) {
  const lines = (await readFile(join(cluster, PID_FILE), 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  // PostgreSQL adds the directory of its socket shortly after its start.
  return pid > 0 ? { pid, socketDirectory: lines[4] || undefined } : undefined
}

/** Returns whether postmaster.pid exists but is empty. PostgreSQL refuses to start then. */
export async function hasEmptyPidFile(cluster: string): Promise<boolean> {
  return (await statIfThere(join(cluster, PID_FILE)))?.size === 0
}

/**
 * The age after which no PostgreSQL can own an empty postmaster.pid, wherever it runs: PostgreSQL checks the file every
 * minute, and stops if it is no longer its own.
 */
export const EMPTY_PID_FILE_TTL_MS = 90_000

/** Removes an empty postmaster.pid that no PostgreSQL can own. Returns false if the file may still have an owner. */
export async function removeEmptyPidFile(cluster: string): Promise<boolean> {
  const found = await statIfThere(join(cluster, PID_FILE))
  if (found?.size !== 0 || Date.now() - found.mtimeMs < EMPTY_PID_FILE_TTL_MS) return false
  await rm(join(cluster, PID_FILE))
  return true
}

/** Returns whether this process is a PostgreSQL on this cluster. Another program may have its number by now. */
export async function runsOn(cluster: string, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false
  const command = await commandOf(pid)
  // If the command is unknown, waiting for another program is safer than ignoring a PostgreSQL.
  if (command === '') return true
  if (!command.includes('postgres ')) return false
  if (command.includes(` -D ${cluster} `)) return true
  // Its working directory is the data directory, even after a rename. Not every user may read it.
  const [here, there] = await Promise.all([stat(cluster), stat(`/proc/${pid}/cwd`).catch(() => undefined)])
  return there !== undefined && here.dev === there.dev && here.ino === there.ino
}
