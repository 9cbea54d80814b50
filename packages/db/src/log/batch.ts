import type { SpaceStatus } from '@collab-spaces/domain'
import type pg from 'pg'
import { isWorthARetry } from '../connection/fault.js'
import { type Append, appendBatch, type BatchOutcome, type Committed, committedOf } from './append.js'
import { MAX_TRIES } from './lane.js'

/**
 * Batch commit: events that were sent in one request are written in one statement, consecutively, all or none. A batch
 * is about as large as a group, so it is not grouped with others.
 */
export class BatchCommit {
  constructor(
    private readonly pool: pg.Pool,
    private readonly accepting: readonly SpaceStatus[],
    /** Gets the events of a batch, in their order, once it is committed and before its writer is answered. */
    private readonly onCommit: (committed: readonly Committed[]) => void,
  ) {}

  /**
   * Resolves when the batch is on disk, or was refused. Rejects when it may not be there. Every lost race has used another
   * idempotency key of the batch, so there are at most as many races as events.
   */
  async append(batch: readonly Append[], tries = batch.length + MAX_TRIES): Promise<BatchOutcome> {
    if (batch.length === 0) return { kind: 'taken', events: [] }
    let outcome: BatchOutcome
    try {
      outcome = await appendBatch(this.pool, batch, this.accepting)
    } catch (error) {
      if (isWorthARetry(error) && tries > 1) return this.append(batch, tries - 1)
      throw error
    }
    if (outcome.kind === 'taken') this.onCommit(committedOf(batch, outcome.events))
    return outcome
  }
}
