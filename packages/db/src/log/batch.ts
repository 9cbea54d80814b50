import { type SpaceStatus, unavailable } from '@collab-spaces/domain'
import type pg from 'pg'
import { isWorthARetry } from '../fault.js'
import { type Append, appendBatch, type BatchOutcome, type Committed, committedOf } from './append.js'
import { MAX_TRIES, MAX_WAIT_MS } from './group.js'

/** As few as groups have, so that however many batches come, connections are left for everybody else. */
const MAX_IN_FLIGHT = 2

/**
 * Batch commit: events that were sent together are written together, one after the other with nothing between them,
 * all or none. A batch is as large as a group would be, so it goes by itself; the next one waits for its turn.
 */
export class BatchCommit {
  readonly #waiting = new Set<() => void>()
  #inFlight = 0

  constructor(
    private readonly pool: pg.Pool,
    private readonly accepting: readonly SpaceStatus[],
    /** Told of the events of a batch, in their order, once it is committed and before its writer is answered. */
    private readonly onCommit: (committed: readonly Committed[]) => void,
  ) {}

  /** Resolves when all is on the disk, or was refused. Rejects when it is not known to be there. */
  async append(batch: readonly Append[]): Promise<BatchOutcome> {
    await this.#turn()
    try {
      return await this.#commit(batch)
    } finally {
      this.#pass()
    }
  }

  /** Each race that is lost has left another of the batch's keys used, so there are at most as many as events. */
  async #commit(batch: readonly Append[], tries = batch.length + MAX_TRIES): Promise<BatchOutcome> {
    let outcome: BatchOutcome
    try {
      outcome = await appendBatch(this.pool, batch, this.accepting)
    } catch (error) {
      if (isWorthARetry(error) && tries > 1) return this.#commit(batch, tries - 1)
      throw error
    }
    if (outcome.kind === 'taken') this.onCommit(committedOf(batch, outcome.events))
    return outcome
  }

  /** Resolves when a place is free. Rejects when none has become free for as long as an append may wait. */
  #turn(): Promise<void> {
    if (this.#inFlight < MAX_IN_FLIGHT) {
      this.#inFlight++
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(overdue)
        resolve()
      }
      const overdue = setTimeout(() => {
        this.#waiting.delete(enter)
        reject(unavailable())
      }, MAX_WAIT_MS)
      this.#waiting.add(enter)
    })
  }

  /** Whoever has waited longest takes over the place. */
  #pass(): void {
    const [next] = this.#waiting
    if (!next) {
      this.#inFlight--
      return
    }
    this.#waiting.delete(next)
    next()
  }
}
