import { type SpaceStatus, unavailable } from '@collab-spaces/domain'
import { isWorthARetry } from '../connection/fault.js'
import type { ImpatientPool } from '../connection/impatient-pool.js'
import type { Patience } from '../connection/patience.js'
import { FairQueue, type Payer } from '../fairness/queue.js'
import { type Append, appendBatch, type BatchOutcome, type Committed, committedOf } from './append.js'
import { MAX_TRIES } from './lane.js'

/** As few as for groups, so that any number of batches leaves connections for other requests. */
export const BATCHES_IN_FLIGHT = 2

/**
 * Batch commit: events that were sent in one request are written in one statement, consecutively, all or none. A batch
 * is about as large as a group, so it is not grouped with others; the next one waits for its turn.
 */
export class BatchCommit {
  readonly #waiting = new FairQueue<() => void>()
  #inFlight = 0

  constructor(
    private readonly pool: ImpatientPool,
    private readonly accepting: readonly SpaceStatus[],
    /** Gets the events of a batch, in their order, once it is committed and before its writer is answered. */
    private readonly onCommit: (committed: readonly Committed[]) => void,
    private readonly patience: Patience,
  ) {}

  /** Resolves when the batch is on disk, or was refused. Rejects when it may not be there. */
  async append(batch: readonly Append[]): Promise<BatchOutcome> {
    const [first] = batch
    if (!first) return { kind: 'taken', events: [] }
    const since = performance.now()
    await this.#acquire({ scope: first.scope, actorId: first.postedBy })
    try {
      if (this.pool.silence.hasCut(since)) throw unavailable()
      return await this.#commit(batch)
    } finally {
      this.#release()
    }
  }

  /** Every lost race has used another idempotency key of the batch, so there are at most as many races as events. */
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

  /** Resolves when a slot is free. Rejects when none becomes free within the time that an append may wait. */
  #acquire(payer: Payer): Promise<void> {
    if (this.#inFlight < BATCHES_IN_FLIGHT) {
      this.#inFlight++
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(overdue)
        resolve()
      }
      const overdue = setTimeout(() => {
        this.#waiting.remove((waiting) => waiting === enter)
        reject(unavailable())
      }, this.patience.turnMs)
      this.#waiting.push(payer, enter)
    })
  }

  /** Hands the slot to the next batch; tenants take turns. */
  #release(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#inFlight--
  }
}
