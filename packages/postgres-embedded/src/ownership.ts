import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { type NotConnected, secondsRunning, tryConnect } from './connection.js'
import { diskFull, EmbeddedError, saysDiskFull } from './errors.js'
import type { LogFunction } from './log-function.js'
import { isOwned, tryLock } from './owner-lock.js'
import type { Place } from './place.js'
import {
  hasExited,
  type Postmaster,
  readPidFile,
  runsOn,
  startPostmaster,
  stopOrphan,
  stopPostmaster,
} from './postmaster.js'
import { isAlive } from './process.js'

/** A PostgreSQL of our own that runs, and the connection that holds the lock on it. */
export interface Running {
  postmaster: Postmaster
  lockHolder: pg.Client
}

/** After this long without a sign of life PostgreSQL is given up. While it recovers it gives signs. */
const SILENCE = 60_000
/** How long to try again when an old PostgreSQL, or what it left behind, stands in the way. */
const CONFLICT = 30_000
/** An owner that was killed lets go of its lock at once; one that lost its connection takes it again in this time. */
const SETTLING = 500
/** Another server was faster, processes of a killed PostgreSQL are still leaving, or it was told to stop. */
const PASSING = /lock file ".*" already exists|shared memory block|is shut down/
/** A PostgreSQL younger than this, in seconds, may have an owner who is about to take the lock. */
const YOUNG = 5

/**
 * Starts PostgreSQL as our own child and takes the lock that makes us the owner of the data.
 * There is never a second one on the same data: PostgreSQL's own lock file sees to that, and is
 * never removed from here. An orphan, whose owner was killed, is stopped first.
 */
export async function takeOwnership(place: Place, log: LogFunction, signal: AbortSignal): Promise<Running> {
  const deadline = Date.now() + CONFLICT
  for (;;) {
    const stranger = await clearTheWay(place, log, signal)
    const postmaster = await startPostmaster(place, stranger)
    try {
      const lockHolder = await untilReady(place, postmaster, log, signal)
      if (lockHolder) {
        if (await tryLock(lockHolder).catch(() => false)) return { postmaster, lockHolder }
        // It is being stopped: somebody took it for an orphan in the moment before, or killed it.
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
    if (!(killed || PASSING.test(reason)) || Date.now() > deadline) throw cannotStart(place, reason)
    if (killed) log('warn', 'PostgreSQL was killed while it started; trying again', { pid: postmaster.child.pid })
    await delay(50 + Math.random() * 200, undefined, { signal })
  }
}

/**
 * Returns when no PostgreSQL runs on the data. Answers with the number in postmaster.pid when it now
 * belongs to some other program.
 */
async function clearTheWay(place: Place, log: LogFunction, signal: AbortSignal): Promise<number | undefined> {
  const deadline = Date.now() + SILENCE
  for (;;) {
    const noted = await readPidFile(place.cluster)
    const runs = noted !== undefined && (await runsOn(place.cluster, noted.pid))
    // Asked even when no such process is seen here: it may run in another container on the same volume.
    const answer = await ask(place, noted?.socketDirectory)
    if (answer === 'silent' && !runs) return noted && isAlive(noted.pid) ? noted.pid : undefined
    if (typeof answer === 'object') {
      try {
        await refuseIfOwned(answer, place)
        if (!runs) throw occupied(place, 'a PostgreSQL that is not visible from here')
        log('warn', 'Stopping the PostgreSQL that a killed server left behind', { pid: noted.pid })
        await stopOrphan(place.cluster, noted.pid)
      } catch (error) {
        if (error instanceof EmbeddedError) throw error
        // The connection broke: it is stopping already. Look again.
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

/** Knocks at the socket of whatever PostgreSQL runs on the data. */
async function ask(place: Place, socketDirectory = place.connection.host): Promise<pg.Client | NotConnected> {
  try {
    return await tryConnect({ ...place.connection, host: socketDirectory })
  } catch (error) {
    throw new EmbeddedError(
      `PostgreSQL in ${place.dataDir} does not accept the password kept there (${(error as Error).message}): restore the file "password" from a backup`,
    )
  }
}

/** Throws when the data has an owner; otherwise holds the lock, so that nobody else clears the same way. */
async function refuseIfOwned(client: pg.Client, place: Place): Promise<void> {
  const another = occupied(place, 'another server')
  const young = (await secondsRunning(client)) < YOUNG
  // An owner that has just been killed is given the time to leave, an owner just coming the time to arrive.
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

/** The first connection to our own child; undefined when it has exited instead. */
async function untilReady(
  place: Place,
  postmaster: Postmaster,
  log: LogFunction,
  signal: AbortSignal,
): Promise<pg.Client | undefined> {
  const begun = Date.now()
  let lastSign = begun
  let lastWord = begun
  while (!hasExited(postmaster)) {
    const answer = await ask(place)
    if (typeof answer === 'object') {
      // Ours may be about to find out that another has the lock file, and this may be the other.
      if ((await readPidFile(place.cluster))?.pid === postmaster.child.pid) return answer
      await answer.end()
    }
    const now = Date.now()
    if (answer === 'starting') lastSign = now
    if (now - lastSign > SILENCE) throw cannotStart(place, 'no answer for a minute')
    if (now - lastWord > 3_000) {
      log('info', 'PostgreSQL is recovering', { seconds: Math.round((now - begun) / 1000) })
      lastWord = now
    }
    // Every refusal is a line in the log: a long recovery is asked less and less often.
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
