import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { type NotConnected, secondsRunning, tryConnect } from './connection.js'
import { diskFull, EmbeddedError, saysDiskFull } from './errors.js'
import type { LogFunction } from './log-function.js'
import { isOwned, tryLock } from './owner-lock.js'
import { PUT_PASSWORD_BACK } from './password.js'
import type { Place } from './place.js'
import {
  ABANDONED,
  hasExited,
  isEmpty,
  type Postmaster,
  readPidFile,
  removeAbandoned,
  runsOn,
  startPostmaster,
  stopOrphan,
  stopPostmaster,
} from './postmaster.js'
import { isAlive } from './process.js'

/** Our own running PostgreSQL, and the connection that holds the lock on it. */
export interface Running {
  postmaster: Postmaster
  lockHolder: pg.Client
}

/** After this long without an answer PostgreSQL is given up. While it recovers, it answers that it is starting. */
const SILENCE = 60_000
/** How long to retry while an old PostgreSQL, or what it left behind, is in the way. */
const CONFLICT = 30_000
/** A killed owner loses its lock at once; one that only lost its connection takes it again within this time. */
const SETTLING = 500
/** Another server was faster, processes of a killed PostgreSQL are still exiting, or it was told to stop. */
const TRANSIENT = /lock file ".*" (?:already exists|is empty)|shared memory block|is shut down/
/** A PostgreSQL younger than this, in seconds, may have an owner that is about to take the lock. */
const YOUNG = 5

/**
 * Starts PostgreSQL as our own child and takes the lock that makes us the owner of the data. There is never a second
 * one on the same data: PostgreSQL's own lock file prevents it, and is never removed from here. An orphan, whose owner
 * was killed, is stopped first.
 */
export async function takeOwnership(
  place: Place,
  { log, onStarting }: { readonly log: LogFunction; readonly onStarting?: () => void },
  signal: AbortSignal,
): Promise<Running> {
  const deadline = Date.now() + CONFLICT
  for (;;) {
    const stranger = await stopOtherPostmaster(place, log, signal)
    const postmaster = await startPostmaster(place, stranger)
    onStarting?.()
    try {
      const lockHolder = await untilReady(place, postmaster, log, signal)
      if (lockHolder) {
        if (await tryLock(lockHolder).catch(() => false)) return { postmaster, lockHolder }
        // Another server is stopping it as an orphan, or it was killed.
        await lockHolder.end().catch(() => {})
        await Promise.race([postmaster.exited, delay(SETTLING * 4, undefined, { signal })])
      }
    } catch (error) {
      await stopPostmaster(postmaster)
      throw error
    }
    if (!hasExited(postmaster)) await stopPostmaster(postmaster)
    const reason = await postmaster.reason()
    const killed = postmaster.child.signalCode === 'SIGKILL'
    if (!(killed || TRANSIENT.test(reason)) || Date.now() > deadline) throw cannotStart(place, reason)
    if (killed) log('warn', 'PostgreSQL was killed while it started; retrying', { postgresPid: postmaster.child.pid })
    await delay(50 + Math.random() * 200, undefined, { signal })
  }
}

/**
 * Resolves when no PostgreSQL runs on the data: to the number in postmaster.pid when that belongs to another program
 * now, and to undefined otherwise.
 */
async function stopOtherPostmaster(place: Place, log: LogFunction, signal: AbortSignal): Promise<number | undefined> {
  const begun = Date.now()
  let deadline = begun + SILENCE
  for (;;) {
    const noted = await readPidFile(place.cluster)
    const runs = noted !== undefined && (await runsOn(place.cluster, noted.pid))
    // Even when no such process is visible: it may run in another container on the same volume.
    const answer = await ask(place, noted?.socketDirectory)
    if (answer === 'silent' && !runs) {
      if (!(await isEmpty(place.cluster))) return noted && isAlive(noted.pid) ? noted.pid : undefined
      // It is about to be written, or its writer was cut off with the power.
      deadline = Math.max(deadline, begun + ABANDONED + SILENCE)
      if (await removeAbandoned(place.cluster))
        log('warn', 'Removed an empty postmaster.pid, which a crash left behind')
    }
    if (typeof answer === 'object') {
      try {
        await refuseIfOwned(answer, place)
        if (!runs) throw occupied(place, 'a PostgreSQL that is not visible from here')
        log('warn', 'Stopping the PostgreSQL that a killed server left behind', { postgresPid: noted.pid })
        await stopOrphan(place.cluster, noted.pid)
      } catch (error) {
        if (error instanceof EmbeddedError) throw error
        // The connection broke, so it is stopping already. Look again.
      } finally {
        await answer.end().catch(() => {})
      }
    }
    if (Date.now() > deadline) {
      throw occupied(
        place,
        runs ? `PostgreSQL process ${noted.pid}, which takes no connections,` : 'another PostgreSQL',
      )
    }
    await delay(20, undefined, { signal })
  }
}

const WRONG_PASSWORD = '28P01'

/** Tries the socket of whatever PostgreSQL runs on the data. */
async function ask(place: Place, socketDirectory = place.connection.host): Promise<pg.Client | NotConnected> {
  try {
    return await tryConnect({ ...place.connection, host: socketDirectory })
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string }
    throw new EmbeddedError(
      code === WRONG_PASSWORD
        ? `PostgreSQL in ${place.dataDir} does not accept the password in its file "password" (${message}): ${PUT_PASSWORD_BACK}`
        : `PostgreSQL in ${place.dataDir} cannot be used (${message}): restore the data from a backup`,
    )
  }
}

/** Throws when the data has an owner. Otherwise it takes the lock, so that no other server stops the same orphan. */
async function refuseIfOwned(client: pg.Client, place: Place): Promise<void> {
  const another = occupied(place, 'another server')
  const young = (await secondsRunning(client)) < YOUNG
  // An owner that was just killed gets time to lose its lock, and one that is just starting gets time to take it.
  if (!(await becomes(false, client, SETTLING))) throw another
  if (await becomes(true, client, young ? SETTLING * 3 : SETTLING)) throw another
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

/** The first connection to our own child; undefined when it exits instead. */
export async function untilReady(
  place: Place,
  postmaster: Postmaster,
  log: LogFunction,
  signal: AbortSignal,
): Promise<pg.Client | undefined> {
  const begun = Date.now()
  let lastAnswer = begun
  let lastReport = begun
  let lastLook = begun
  while (!hasExited(postmaster)) {
    const answer = await ask(place)
    if (typeof answer === 'object') {
      // This may be another PostgreSQL, which has the lock file, as ours is about to find out.
      if ((await readPidFile(place.cluster))?.pid === postmaster.child.pid) return answer
      await answer.end()
    }
    const now = Date.now()
    if (answer === 'starting') lastAnswer = now
    if (now - lastLook > 500) {
      // After what a full disk does to it, PostgreSQL does not exit but recovers, to the same end, for ever.
      if (saysDiskFull(await postmaster.reason())) throw diskFull(place.dataDir)
      lastLook = now
    }
    if (now - lastAnswer > SILENCE) throw cannotStart(place, 'no answer for a minute')
    if (now - lastReport > 3_000) {
      log('info', 'PostgreSQL is recovering', { seconds: Math.round((now - begun) / 1000) })
      lastReport = now
    }
    // Every refusal is a line in the log, so during a long recovery the delay grows.
    await delay(Math.min(500, 20 + (now - begun) / 20), undefined, { signal })
  }
  return undefined
}

function occupied(place: Place, who: string): EmbeddedError {
  return new EmbeddedError(
    `${who[0]?.toUpperCase()}${who.slice(1)} is using ${place.dataDir}: stop it first, or set DATA_DIR to another directory`,
  )
}

function cannotStart(place: Place, reason: string): EmbeddedError {
  if (saysDiskFull(reason)) return diskFull(place.dataDir)
  return new EmbeddedError(`PostgreSQL did not start (${reason || 'it gave no reason'}): see ${place.logFile}`)
}
