import type { SpaceStatus } from '@collab-spaces/domain'
import { isWorthARetry } from '../connection/fault.js'
import type { Pools } from '../connection/pools.js'
import type { Timeouts } from '../connection/timeouts.js'
import {
  type AppendOutcome,
  appendBatch,
  appendEach,
  type BatchOutcome,
  type CommittedEvent,
  committedOf,
  weightOf,
} from './append.js'
import type { Append, AppendMode } from './append-statement.js'
import { Groups, LockedSpaces } from './group.js'
import { MAX_TRIES, type PendingAppend, type Waits, type Write } from './lane.js'

/** With two in flight, PostgreSQL is busy with one while the other is being written to disk. */
const SHORT = { width: 2, maxWeight: 512 * 1024 }
/** Appends that take PostgreSQL so long that short ones in the same statement would be late. */
const LONG = { width: 1, maxWeight: 256 * 1024 }
/** Appends to spaces with a loop guard, which take another statement. */
const GUARDED = { width: 1, maxWeight: 512 * 1024 }
/** Appends to spaces locked by another transaction. */
const LOCKED = { width: 2, maxWeight: 512 * 1024 }
/** An append is long from this weight on. */
const LONG_WEIGHT = 32 * 1024

/**
 * Writes to the event log. Appends that arrive while others are being written wait, and are then written in one
 * statement and one commit. Under light load nothing waits; under heavy load the cost of a commit is shared. Tenants take
 * turns, and no append waits for long texts or locked spaces of other callers.
 */
export class EventLog {
  readonly #short: Groups
  readonly #long: Groups
  readonly #locked: LockedSpaces

  /** `onCommit` gets every committed event before its writer is answered, within a group in the order of the log. */
  constructor(
    private readonly pools: Pick<Pools, 'requests' | 'long'>,
    private readonly accepting: readonly SpaceStatus[],
    { turnMs }: Timeouts,
    private readonly onCommit: (committed: readonly CommittedEvent[]) => void,
  ) {
    const { requests } = pools
    const writeWith =
      (mode: AppendMode): Write =>
      async (appends) => {
        const outcomes = await appendEach(requests, appends, accepting, mode)
        onCommit(committedOf(outcomes))
        return outcomes
      }
    const waits: Waits = { maxWaitMs: turnMs, outage: requests.outage }
    const locked = new LockedSpaces(LOCKED, writeWith('waiting'), waits)
    const guarded = new Groups(GUARDED, writeWith('guarded'), waits, { locked, guarded: locked })
    this.#locked = locked
    this.#short = new Groups(SHORT, writeWith('fast'), waits, { locked, guarded })
    this.#long = new Groups(LONG, writeWith('fast'), waits, { locked, guarded })
  }

  /** Resolves when the event is on disk, or was refused. Rejects when it may not be there. */
  append(append: Append): Promise<AppendOutcome> {
    return new Promise((resolve, reject) => {
      const weight = weightOf(append)
      const waiting: PendingAppend = { append, weight, since: performance.now(), resolve, reject }
      if (this.#locked.awaits(waiting)) this.#locked.add(waiting)
      else if (weight < LONG_WEIGHT) this.#short.add(waiting)
      else this.#long.add(waiting)
    })
  }

  /**
   * Appends events to one space, consecutively and in their order: all or none. A batch is about as large as a group, so
   * it has a statement of its own. Every lost race has used another idempotency key of the batch, so there are at most as
   * many races as events.
   */
  async appendBatch(batch: readonly Append[], tries = batch.length + MAX_TRIES): Promise<BatchOutcome> {
    if (batch.length === 0) return { kind: 'taken', events: [] }
    let outcome: BatchOutcome
    try {
      outcome = await appendBatch(this.pools.long, batch, this.accepting)
    } catch (error) {
      if (isWorthARetry(error) && tries > 1) return this.appendBatch(batch, tries - 1)
      throw error
    }
    if (outcome.kind === 'taken') this.onCommit(committedOf(outcome.events))
    return outcome
  }
}
