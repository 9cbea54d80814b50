import { setTimeout as delay } from 'node:timers/promises'
import { type ConnectionOptions, tryConnect } from './connection.js'
import { EmbeddedError, explain } from './errors.js'
import type { LogFunction } from './log-function.js'
import { tryLock } from './owner-lock.js'
import { type Running, takeOwnership } from './ownership.js'
import { type Place, preparePlace } from './place.js'
import { hasExited, stopPostmaster } from './postmaster.js'

export interface EmbeddedOptions {
  dataDir: string
  /** Whether the operator chose `dataDir`; otherwise root may put the data where PostgreSQL can reach it. */
  explicitDataDir: boolean
  log: LogFunction
  /** PostgreSQL is gone for good: it crashes again and again, or another server has the data. Called at most once. */
  onLost: (error: Error) => void
}

export interface EmbeddedPostgres {
  connection: ConnectionOptions
  /** Where the data really is. */
  dataDir: string
  /** Ends PostgreSQL, in ten seconds at the most. May be called again, and at any time. */
  stop(): Promise<void>
}

/**
 * Starts PostgreSQL on the data in `dataDir`, making both if need be, and keeps it running.
 * Throws an EmbeddedError when the operator has to do something first.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  try {
    const place = await preparePlace(options)
    const keeper = new Keeper(place, options)
    await keeper.start()
    return { connection: place.connection, dataDir: place.dataDir, stop: () => keeper.stop() }
  } catch (error) {
    throw explain(error, options.dataDir)
  }
}

/** Being killed now and then is borne; what keeps happening has a reason that starting again does not cure. */
const CRASHES = 10
const CRASHES_WITHIN = 60_000

/** Keeps PostgreSQL running and the lock held, until it is told to stop. */
class Keeper {
  private readonly ending = new AbortController()
  private running: Running | undefined
  private restart: Promise<void> = Promise.resolve()
  private stopped: Promise<void> | undefined
  private crashes: number[] = []

  constructor(
    private readonly place: Place,
    private readonly options: Pick<EmbeddedOptions, 'log' | 'onLost'>,
  ) {}

  async start(): Promise<void> {
    const begun = performance.now()
    const running = await takeOwnership(this.place, this.options.log, this.ending.signal)
    this.running = running
    const { postmaster, lockHolder } = running
    const { pid } = postmaster.child
    this.options.log('info', 'PostgreSQL is running', { pid, ms: Math.round(performance.now() - begun) })
    void postmaster.exited.then(() => {
      if (!this.ending.signal.aborted) this.restart = this.startAgain(pid)
    })
    lockHolder.once('end', () => void this.lockAgain(running))
  }

  stop(): Promise<void> {
    this.stopped ??= this.end()
    return this.stopped
  }

  private async end(): Promise<void> {
    this.ending.abort()
    await this.restart
    if (!this.running) return
    // The lock is let go last: until then nobody mistakes this PostgreSQL for an orphan.
    await stopPostmaster(this.running.postmaster)
    await this.running.lockHolder.end().catch(() => {})
  }

  private async startAgain(pid: number | undefined): Promise<void> {
    const now = Date.now()
    this.crashes = [...this.crashes.filter((time) => now - time < CRASHES_WITHIN), now]
    const { log, onLost } = this.options
    log('error', 'PostgreSQL exited unexpectedly; starting it again', { pid, times: this.crashes.length })
    try {
      if (this.crashes.length >= CRASHES) {
        throw new EmbeddedError(
          `PostgreSQL exited unexpectedly ${CRASHES} times within a minute: see ${this.place.logFile}`,
        )
      }
      if (this.crashes.length > 1) {
        await delay(50 * 2 ** this.crashes.length, undefined, { signal: this.ending.signal })
      }
      await this.start()
    } catch (error) {
      if (this.ending.signal.aborted) return
      onLost(explain(error, this.place.dataDir) as Error)
    }
  }

  /**
   * The connection that holds the lock broke, but PostgreSQL lives: it has ended all connections
   * because one of its processes crashed, or somebody has ended this one. Should another server take
   * the lock first, it stops this PostgreSQL, and starting again tells.
   */
  private async lockAgain(running: Running): Promise<void> {
    const { signal } = this.ending
    while (!signal.aborted && !hasExited(running.postmaster)) {
      const client = await tryConnect(this.place.connection).catch(() => 'silent' as const)
      if (typeof client === 'object') {
        if (await tryLock(client).catch(() => false)) {
          running.lockHolder = client
          client.once('end', () => void this.lockAgain(running))
          return
        }
        await client.end().catch(() => {})
      }
      await delay(50, undefined, { signal }).catch(() => {})
    }
  }
}
