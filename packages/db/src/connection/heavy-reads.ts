import { setTimeout as delay } from 'node:timers/promises'
import { tooBusy, tooCostly } from '@collab-spaces/domain'
import type pg from 'pg'
import { type Asker, FairLane, type WhenAskedToYield } from '../fairness/lane.js'
import { hasTimedOut } from './fault.js'
import type { ImpatientPool } from './impatient-pool.js'
import type { Patience } from './patience.js'

/** However many reads an actor asks for. */
const MOST_OF_ACTOR = 2
/** As long as every read may take, whoever waits. */
const YIELD_AFTER_MS = 1_000

/**
 * How long a connection waits for its cancellation. One that has come hits nothing but what is under way, but one that is
 * late would hit whoever has the connection next.
 */
const CANCELLED_MS = 100

/** A connection as the work sees it. */
export type Querier = Pick<pg.ClientBase, 'query'>

/**
 * Reads that take the database long: a few at a time, on connections that nothing else needs. What nobody waits for any
 * more is cancelled.
 */
export class HeavyReads {
  readonly #lane: FairLane

  constructor(
    private readonly pool: ImpatientPool,
    /** Has a connection to cancel with what is under way on another one. */
    private readonly lookUps: pg.Pool,
    width: number,
    { longTurnMs }: Patience,
  ) {
    this.#lane = new FairLane({
      width,
      mostOfActor: MOST_OF_ACTOR,
      maxWaitMs: longTurnMs,
      yieldAfterMs: YIELD_AFTER_MS,
      silence: pool.silence,
    })
  }

  /**
   * Does the work when its turn comes. Rejects when that takes too long, or when one of its statements does; after a second
   * already when another tenant waits and has no turn.
   */
  run<T>(asker: Asker, work: (connection: Querier) => Promise<T>): Promise<T> {
    return this.#lane.run(asker, (whenAskedToYield) => this.#connected(asker, whenAskedToYield, work))
  }

  async #connected<T>(
    { whenGone }: Asker,
    whenAskedToYield: WhenAskedToYield,
    work: (connection: Querier) => Promise<T>,
  ): Promise<T> {
    const client = await this.pool.connect()
    let ended = null as 'gone' | 'yielded' | null
    let isDone = false
    let isUsable = Promise.resolve(true)
    const end = (why: 'gone' | 'yielded') => {
      if (isDone || ended) return
      ended = why
      isUsable = Promise.race([this.#cancel(client), delay(CANCELLED_MS, false, { ref: false })])
    }
    const stopListening = whenGone?.(() => end('gone'))
    whenAskedToYield(() => end('yielded'))
    const query = (...args: unknown[]) => {
      if (ended) return Promise.reject(ended === 'gone' ? tooBusy() : tooCostly())
      return (client.query as (...args: unknown[]) => unknown).apply(client, args)
    }
    try {
      return await work({ query: query as Querier['query'] })
    } catch (error) {
      throw hasTimedOut(error) && ended !== 'gone' ? tooCostly() : error
    } finally {
      isDone = true
      stopListening?.()
      // A new connection takes longer than most searches, so one is kept if it may be.
      client.release(!(await isUsable))
    }
  }

  /** Cancels what is under way on a connection. False when that was not possible. */
  async #cancel(client: pg.ClientBase): Promise<boolean> {
    try {
      await this.lookUps.query('SELECT pg_cancel_backend($1)', [processOf(client)])
      return true
    } catch {
      return false
    }
  }
}

/** `pg` knows it and does not declare it. */
const processOf = (client: pg.ClientBase) => (client as { processID?: number }).processID
