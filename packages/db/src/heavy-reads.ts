import { tooBusy, tooCostly } from '@collab-spaces/domain'
import type pg from 'pg'
import { FairQueue, type Payer } from './fair-queue.js'
import { hasTimedOut } from './fault.js'

/** How many reads of one actor are under way at a time, however many it asks for. */
const MOST_OF_ACTOR = 2
/** A read that waits for its turn longer than this is refused. */
const MAX_WAIT_MS = 5_000

/** Calls back when the one who asked no longer waits for the answer. */
export type WhenGone = (callback: () => void) => void

/** Who a read is for, and how it is told that nobody waits for it any more. */
export interface Asker extends Payer {
  readonly whenGone?: WhenGone | undefined
}

/** A connection as the work sees it. */
export type Querier = Pick<pg.ClientBase, 'query'>

interface Waiting {
  readonly asker: Asker
  readonly start: () => void
}

/**
 * Reads that take the database long: a few at a time, on connections that nothing else needs. Tenants take turns, and
 * no tenant has all connections unless there is only one. What nobody waits for any more is cancelled.
 */
export class HeavyReads {
  readonly #queue = new FairQueue<Waiting>()
  readonly #running = new Set<Asker>()

  constructor(
    private readonly pool: pg.Pool,
    /** Has a connection to cancel with what is under way on another one. */
    private readonly lookUps: pg.Pool,
    private readonly width: number,
  ) {}

  /** Does the work when its turn comes. Rejects when that takes five seconds, or when one of its statements does. */
  async run<T>(asker: Asker, work: (connection: Querier) => Promise<T>): Promise<T> {
    await this.#turn(asker)
    try {
      return await this.#connected(asker, work)
    } finally {
      this.#running.delete(asker)
      this.#startNext()
    }
  }

  #turn(asker: Asker): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        if (this.#queue.remove((other) => other === waiting).length > 0) reject(tooBusy())
      }
      const overdue = setTimeout(giveUp, MAX_WAIT_MS)
      const waiting: Waiting = {
        asker,
        start() {
          clearTimeout(overdue)
          resolve()
        },
      }
      asker.whenGone?.(giveUp)
      this.#queue.push(asker, waiting)
      this.#startNext()
    })
  }

  #startNext(): void {
    while (this.#running.size < this.width) {
      const next = this.#queue.shift((payer) => this.#mayStart(payer))
      if (!next) return
      this.#running.add(next.asker)
      next.start()
    }
  }

  #mayStart({ scope, actorId }: Payer): boolean {
    const ofTenant = [...this.#running].filter((running) => running.scope === scope)
    const ofActor = ofTenant.filter((running) => running.actorId === actorId)
    return ofActor.length < MOST_OF_ACTOR && ofTenant.length < Math.max(1, this.width - 1)
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
