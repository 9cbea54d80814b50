import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { type NotConnected, serverUptimeSeconds, tryConnect } from './connection.js'
import { diskFull, EmbeddedError, saysDiskFull } from './errors.js'
import type { LogFunction } from './log-function.js'
import { isOwned, tryLock } from './owner-lock.js'
import { PUT_PASSWORD_BACK } from './password.js'
import {
  EMPTY_PID_FILE_TTL_MS,
  hasEmptyPidFile,
  hasExited,
  type Postmaster,
  readPidFile,
  removeEmptyPidFile,
  runsOn,
  startPostmaster,
  stopOrphan,
  stopPostmaster,
} from './postmaster.js'
import type { PreparedData } from './prepared-data.js'
import { isAlive } from './process.js'

/** Our own running PostgreSQL, and the connection that holds the lock on it. */
export interface Running {
  postmaster: Postmaster
  lockHolder: pg.Client
}

/** The time without an answer after which PostgreSQL counts as hung. During recovery it answers that it is starting. */
const ANSWER_TIMEOUT_MS = 60_000
/** The time to retry while a previous PostgreSQL or its shared memory still exists. */
const CONFLICT_TIMEOUT_MS = 30_000
/**
 * A killed owner loses its lock at once. An owner that only lost its connection takes the lock again within this time.
 */
const LOCK_SETTLE_MS = 500
/**
 * Log lines of starts worth a retry: another server was faster, processes of a killed PostgreSQL are still exiting, or
 * PostgreSQL was asked to stop.
 */
const TRANSIENT = /lock file ".*" (?:already exists|is empty)|shared memory block|is shut down/
/** A younger PostgreSQL may have an owner that has not taken the lock yet. */
const YOUNG_S = 5

/**
 * Starts PostgreSQL as a child process, and takes the lock that makes this server the owner of the data. PostgreSQL's
 * own lock file, which this code never removes unless it is empty, prevents a second PostgreSQL on the same data. An
 * orphaned PostgreSQL, whose owner was killed, is stopped first.
 */
export async function takeOwnership(
  data: PreparedData,
  { log, onStarting }: { readonly log: LogFunction; readonly onStarting?: () => void },
  signal: AbortSignal,
): Promise<Running> {
  const deadline = Date.now() + CONFLICT_TIMEOUT_MS
  for (;;) {
    const reusedPid = await stopOtherPostmaster(data, log, signal)
    const postmaster = await startPostmaster(data, reusedPid)
    onStarting?.()
    try {
      const lockHolder = await untilReady(data, postmaster, log, signal)
      if (lockHolder) {
        if (await tryLock(lockHolder).catch(() => false)) return { postmaster, lockHolder }
        // Another server is stopping it as an orphan, or it was killed.
        await lockHolder.end().catch(() => {})
        await Promise.race([postmaster.exited, delay(LOCK_SETTLE_MS * 4, undefined, { signal })])
      }
    } catch (error) {
      await stopPostmaster(postmaster)
      throw error
    }
    if (!hasExited(postmaster)) await stopPostmaster(postmaster)
    const reason = await postmaster.reason()
    const killed = postmaster.child.signalCode === 'SIGKILL'
    if (!(killed || TRANSIENT.test(reason)) || Date.now() > deadline) throw cannotStart(data, reason)
    if (killed) log('warn', 'PostgreSQL was killed while it started; retrying', { postgresPid: postmaster.child.pid })
    await delay(50 + Math.random() * 200, undefined, { signal })
  }
}

/**
 * Waits until no other PostgreSQL runs on the data. Returns the process id in postmaster.pid if another program has it
 * by now.
 */
async function stopOtherPostmaster(
  data: PreparedData,
  log: LogFunction,
  signal: AbortSignal,
): Promise<number | undefined> {
  const startedAt = Date.now()
  let deadline = startedAt + ANSWER_TIMEOUT_MS
  for (;;) {
    const noted = await readPidFile(data.cluster)
    const runs = noted !== undefined && (await runsOn(data.cluster, noted.pid))
    // Also when no such process is visible: it may run in another container on the same volume.
    const answer = await ask(data, noted?.socketDirectory)
    if (answer === 'silent' && !runs) {
      if (!(await hasEmptyPidFile(data.cluster))) return noted && isAlive(noted.pid) ? noted.pid : undefined
      // PostgreSQL is about to write the file, or lost power while writing it.
      deadline = Math.max(deadline, startedAt + EMPTY_PID_FILE_TTL_MS + ANSWER_TIMEOUT_MS)
      if (await removeEmptyPidFile(data.cluster))
        log('warn', 'Removed an empty postmaster.pid, which a crash left behind')
    }
    if (typeof answer === 'object') {
      try {
        await refuseIfOwned(answer, data)
        if (!runs) throw occupied(data, 'a PostgreSQL that is not visible from here')
        log('warn', 'Stopping the PostgreSQL that a killed server left behind', { postgresPid: noted.pid })
        await stopOrphan(data.cluster, noted.pid)
      } catch (error) {
        if (error instanceof EmbeddedError) throw error
        // The connection broke, so PostgreSQL is already stopping. Check again.
      } finally {
        await answer.end().catch(() => {})
      }
    }
    if (Date.now() > deadline) {
      throw occupied(data, runs ? `PostgreSQL process ${noted.pid}, which takes no connections,` : 'another PostgreSQL')
    }
    await delay(20, undefined, { signal })
  }
}

const WRONG_PASSWORD = '28P01'

/** Connects to the PostgreSQL that runs on the data, if one does. */
async function ask(data: PreparedData, socketDirectory = data.connection.host): Promise<pg.Client | NotConnected> {
  try {
    return await tryConnect({ ...data.connection, host: socketDirectory })
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string }
    throw new EmbeddedError(
      code === WRONG_PASSWORD
        ? `PostgreSQL in ${data.dataDir} does not accept the password in its file "password" (${message}): ${PUT_PASSWORD_BACK}`
        : `PostgreSQL in ${data.dataDir} cannot be used (${message}): restore the data from a backup`,
    )
  }
}

/** Throws when the data has an owner. Otherwise takes the lock, so that no other server stops the same orphan. */
async function refuseIfOwned(client: pg.Client, data: PreparedData): Promise<void> {
  const another = occupied(data, 'another server')
  const young = (await serverUptimeSeconds(client)) < YOUNG_S
  // A killed owner gets time to lose its lock, and a starting one gets time to take it.
  if (!(await becomes(false, client, LOCK_SETTLE_MS))) throw another
  if (await becomes(true, client, young ? LOCK_SETTLE_MS * 3 : LOCK_SETTLE_MS)) throw another
  if (!(await tryLock(client))) throw another
}

async function becomes(owned: boolean, client: pg.Client, within: number): Promise<boolean> {
  const deadline = Date.now() + within
  for (;;) {
    if ((await isOwned(client)) === owned) return true
    if (Date.now() > deadline) return false
    await delay(20)
  }
}

/** Returns the first connection to our PostgreSQL; undefined if it exits instead. */
export async function untilReady(
  data: PreparedData,
  postmaster: Postmaster,
  log: LogFunction,
  signal: AbortSignal,
): Promise<pg.Client | undefined> {
  const startedAt = Date.now()
  let lastAnswer = startedAt
  let lastReport = startedAt
  let lastLook = startedAt
  while (!hasExited(postmaster)) {
    const answer = await ask(data)
    if (typeof answer === 'object') {
      // This may be another PostgreSQL, which holds the lock file. Ours then exits.
      if ((await readPidFile(data.cluster))?.pid === postmaster.child.pid) return answer
      await answer.end()
    }
    const now = Date.now()
    if (answer === 'starting') lastAnswer = now
    if (now - lastLook > 500) {
      // On a full disk, PostgreSQL does not exit but recovers again and again.
      if (saysDiskFull(await postmaster.reason())) throw diskFull(data.dataDir)
      lastLook = now
    }
    if (now - lastAnswer > ANSWER_TIMEOUT_MS) throw cannotStart(data, 'no answer for a minute')
    if (now - lastReport > 3_000) {
      log('info', 'PostgreSQL is recovering', { seconds: Math.round((now - startedAt) / 1000) })
      lastReport = now
    }
    // PostgreSQL logs each refused connection, so the delay grows during a long recovery.
    await delay(Math.min(500, 20 + (now - startedAt) / 20), undefined, { signal })
  }
  return undefined
}

function occupied(data: PreparedData, who: string): EmbeddedError {
  return new EmbeddedError(
    `${who[0]?.toUpperCase()}${who.slice(1)} is using ${data.dataDir}: stop it first, or set DATA_DIR to another directory`,
  )
}

function cannotStart(data: PreparedData, reason: string): EmbeddedError {
  if (saysDiskFull(reason)) return diskFull(data.dataDir)
  return new EmbeddedError(`PostgreSQL did not start (${reason || 'it gave no reason'}): see ${data.logFile}`)
}
