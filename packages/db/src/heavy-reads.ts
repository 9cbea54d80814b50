import { tooBusy, tooCostly } from '@collab-spaces/domain'
import type pg from 'pg'
import { type Asker, FairLane } from './fair-lane.js'
import { hasTimedOut } from './fault.js'

/** However many reads an actor asks for. */
const MOST_OF_ACTOR = 2
const MAX_WAIT_MS = 5_000

/** A connection as the work sees it. */
export type Querier = Pick<pg.ClientBase, 'query'>

/**
 * Reads that take the database long: a few at a time, on connections that nothing else needs. What nobody waits for any
 * more is cancelled.
 */
export class HeavyReads {
  readonly #lane: FairLane

  constructor(
    private readonly pool: pg.Pool,
    /** Has a connection to cancel with what is under way on another one. */
    private readonly lookUps: pg.Pool,
    width: number,
  ) {
    this.#lane = new FairLane({ width, mostOfActor: MOST_OF_ACTOR, maxWaitMs: MAX_WAIT_MS })
  }

  /** Does the work when its turn comes. Rejects when that takes five seconds, or when one of its statements does. */
  run<T>(asker: Asker, work: (connection: Querier) => Promise<T>): Promise<T> {
    return this.#lane.run(asker, () => this.#connected(asker, work))
  }

  async #connected<T>({ whenGone }: Asker, work: (connection: Querier) => Promise<T>): Promise<T> {
    const client = await this.pool.connect()
    let isGone = false
    let isDone = false
    whenGone?.(() => {
      if (isDone) return
      isGone = true
      this.lookUps.query('SELECT pg_cancel_backend($1)', [processOf(client)]).catch(() => {})
    })
    const query = (...args: unknown[]) => {
      if (isGone) return Promise.reject(tooBusy())
      return (client.query as (...args: unknown[]) => unknown).apply(client, args)
    }
    try {
      return await work({ query: query as Querier['query'] })
    } catch (error) {
      throw hasTimedOut(error) && !isGone ? tooCostly() : error
    } finally {
      isDone = true
      // A cancellation on its way must not hit whoever has the connection next.
      client.release(isGone)
    }
  }
}

/** `pg` knows it and does not declare it. */
const processOf = (client: pg.ClientBase) => (client as { processID?: number }).processID
