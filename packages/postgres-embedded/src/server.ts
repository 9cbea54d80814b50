import { setTimeout as delay } from 'node:timers/promises'
import { tryConnect } from './connection.js'
import { EmbeddedError, explain } from './errors.js'
import type { LogFunction } from './log-function.js'
import { tryLock } from './owner-lock.js'
import { type Running, takeOwnership } from './ownership.js'
import { hasExited, stopPostmaster } from './postmaster.js'
import { type DataOptions, type PreparedData, prepareData } from './prepared-data.js'

export interface EmbeddedOptions extends DataOptions {
  log: LogFunction
  /**
   * Called at most once, when PostgreSQL cannot be kept running: it keeps crashing, or another server owns the data.
   */
  onLost: (error: Error) => void
  /** Aborts a start, which then rejects and leaves no process running. */
  signal?: AbortSignal
  /** Called at each start, including restarts, once the process exists but is not ready: time for other work. */
  onStarting?: () => void
}

export type EmbeddedPostgres = Awaited<ReturnType<typeof startEmbedded>>

/**
 * Starts PostgreSQL on the data in `dataDir`, creates the data if needed, and restarts PostgreSQL after crashes. Throws
 * an EmbeddedError when the operator has to act first.
 */
export async function startEmbedded(options: EmbeddedOptions) {
  try {
    const data = await prepareData(options)
    const supervisor = new Supervisor(data, options)
    const giveUp = () => void supervisor.stop()
    options.signal?.addEventListener('abort', giveUp)
    try {
      options.signal?.throwIfAborted()
      await supervisor.start()
    } finally {
      options.signal?.removeEventListener('abort', giveUp)
    }
    return {
      /** Connects as the role that owns the database. */
      connection: data.connection,
      /** The actual data directory. */
      dataDir: data.dataDir,
      /**
       * Stops PostgreSQL within a timeout in milliseconds, by default ten seconds. May be called repeatedly at any
       * time.
       */
      stop: (within?: number): Promise<void> => supervisor.stop(within),
    }
  } catch (error) {
    throw explain(error, options.dataDir)
  }
}

/** Occasional crashes are tolerated. Repeated crashes have a cause that a restart does not remove. */
const MAX_CRASHES = 10
const CRASH_WINDOW_MS = 60_000

/** Keeps PostgreSQL running and the lock held until `stop`. */
class Supervisor {
  private readonly ending = new AbortController()
  private running: Running | undefined
  private restart: Promise<void> = Promise.resolve()
  private stopped: Promise<void> | undefined
  private crashes: number[] = []

  constructor(
    private readonly data: PreparedData,
    private readonly options: Pick<EmbeddedOptions, 'log' | 'onLost' | 'onStarting'>,
  ) {}

  async start(): Promise<void> {
    const startedAt = performance.now()
    const running = await takeOwnership(this.data, this.options, this.ending.signal)
    if (this.ending.signal.aborted) {
      // Stopped while the lock was being taken, which the caller of the stop could not see.
      await stopPostmaster(running.postmaster)
      throw this.ending.signal.reason
    }
    this.running = running
    const { postmaster, lockHolder } = running
    const { pid } = postmaster.child
    this.options.log('info', 'PostgreSQL is running', {
      postgresPid: pid,
      ms: Math.round(performance.now() - startedAt),
    })
    void postmaster.exited.then(() => {
      if (!this.ending.signal.aborted) this.restart = this.restartAfterCrash(pid)
    })
    lockHolder.once('end', () => void this.reacquireLock(running))
  }

  stop(within?: number): Promise<void> {
    this.stopped ??= this.end(within)
    return this.stopped
  }

  private async end(within?: number): Promise<void> {
    this.ending.abort()
    await this.restart
    if (!this.running) return
    // The lock is released last: until then no server takes this PostgreSQL for an orphan.
    await stopPostmaster(this.running.postmaster, within)
    // Its PostgreSQL has ended. If that could not be forced either, the close gets no reply.
    void this.running.lockHolder.end().catch(() => {})
  }

  private async restartAfterCrash(pid: number | undefined): Promise<void> {
    const now = Date.now()
    this.crashes = [...this.crashes.filter((time) => now - time < CRASH_WINDOW_MS), now]
    const { log, onLost } = this.options
    log('error', 'PostgreSQL exited unexpectedly; restarting it', { postgresPid: pid, times: this.crashes.length })
    try {
      if (this.crashes.length >= MAX_CRASHES) {
        throw new EmbeddedError(
          `PostgreSQL exited unexpectedly ${MAX_CRASHES} times within a minute: see ${this.data.logFile}`,
        )
      }
      if (this.crashes.length > 1) {
        await delay(50 * 2 ** this.crashes.length, undefined, { signal: this.ending.signal })
      }
      await this.start()
    } catch (error) {
      if (this.ending.signal.aborted) return
      onLost(explain(error, this.data.dataDir) as Error)
    }
  }

  /**
   * Takes the lock again after its connection broke while PostgreSQL is alive: one of its processes crashed, which ends
   * all connections, or an administrator terminated this one. If another server takes the lock first, it stops this
   * PostgreSQL, and the restart reports that.
   */
  private async reacquireLock(running: Running): Promise<void> {
    const { signal } = this.ending
    while (!signal.aborted && !hasExited(running.postmaster)) {
      const client = await tryConnect(this.data.connection).catch(() => 'silent' as const)
      if (typeof client === 'object') {
        if (await tryLock(client).catch(() => false)) {
          running.lockHolder = client
          client.once('end', () => void this.reacquireLock(running))
          return
        }
        await client.end().catch(() => {})
      }
      await delay(50, undefined, { signal }).catch(() => {})
    }
  }
}
