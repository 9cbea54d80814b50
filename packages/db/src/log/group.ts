import { type SpaceStatus, unavailable } from '@collab-spaces/domain'
import type pg from 'pg'
import { isUnavailable, isWorthARetry } from '../fault.js'
import { type Append, type AppendOutcome, appendEach, type Committed, committedOf } from './append.js'

/** With two in flight, PostgreSQL is busy with one while the other is being written to disk. */
const MAX_IN_FLIGHT = 2
const MAX_BATCH = 128
/** For a statement that loses a race, each time against another one. */
export const MAX_TRIES = 3
/** An append that still waits after this time is refused. It is not stored, and can be sent again. */
export const MAX_WAIT_MS = 2_000
const LOOK_EVERY_MS = 500

interface Waiting {
  readonly append: Append
  readonly since: number
  readonly resolve: (outcome: AppendOutcome) => void
  readonly reject: (error: unknown) => void
}

/** Appends with the same identity cannot share a statement: the second must see the outcome of the first. */
const idempotencyIdentity = ({ scope, spaceId, postedBy, idempotency }: Append) =>
  idempotency && JSON.stringify([scope, spaceId, postedBy, idempotency.key])

/**
 * Group commit: appends that arrive while others are being written wait, and are then written in one statement and one
 * commit. Under light load nothing waits; under heavy load the cost of a commit is shared.
 */
export class GroupCommit {
  readonly #waiting: Waiting[] = []
  #inFlight = 0
  #scheduled = false
  #overdue: NodeJS.Timeout | null = null

  constructor(
    private readonly pool: pg.Pool,
    private readonly accepting: readonly SpaceStatus[],
    /** Gets every committed event before its writer is answered, within a group in the order of the log. */
    private readonly onCommit: (committed: readonly Committed[]) => void,
  ) {}

  /** Resolves when the event is on disk, or was refused. Rejects when it may not be there. */
  append(append: Append): Promise<AppendOutcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ append, since: performance.now(), resolve, reject })
      this.#schedule()
    })
  }

  /** Waits for the end of the current turn of the event loop, so that concurrent requests share a commit. */
  #schedule(): void {
    if (this.#scheduled || this.#waiting.length === 0) return
    if (this.#inFlight >= MAX_IN_FLIGHT) {
      this.#overdue ??= setTimeout(() => this.#refuseOverdue(), LOOK_EVERY_MS).unref()
      return
    }
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      void this.#flush()
    })
  }

  /** When more arrives than the database can write, the oldest are refused, so that waiting times stay limited. */
  #refuseOverdue(): void {
    this.#overdue = null
    const latest = performance.now() - MAX_WAIT_MS
    const inTime = this.#waiting.findIndex(({ since }) => since > latest)
    const late = this.#waiting.splice(0, inTime === -1 ? this.#waiting.length : inTime)
    for (const { reject } of late) reject(unavailable())
    this.#schedule()
  }

  async #flush(): Promise<void> {
    const batch = this.#nextBatch()
    this.#inFlight++
    this.#schedule()
    try {
      await this.#commit(batch)
    } finally {
      this.#inFlight--
      this.#schedule()
    }
  }

  #nextBatch(): Waiting[] {
    const batch: Waiting[] = []
    const held: Waiting[] = []
    const identities = new Set<string>()
    while (batch.length < MAX_BATCH) {
      const next = this.#waiting.shift()
      if (!next) break
      const identity = idempotencyIdentity(next.append)
      if (identity && identities.has(identity)) {
        held.push(next)
        continue
      }
      if (identity) identities.add(identity)
      batch.push(next)
    }
    this.#waiting.unshift(...held)
    return batch
  }

  async #commit(batch: readonly Waiting[], tries = 1): Promise<void> {
    const appends = batch.map(({ append }) => append)
    let outcomes: AppendOutcome[]
    try {
      outcomes = await appendEach(this.pool, appends, this.accepting)
    } catch (error) {
      if (isWorthARetry(error) && tries < MAX_TRIES) return this.#commit(batch, tries + 1)
      if (batch.length > 1 && !isUnavailable(error)) return this.#commitApart(batch)
      for (const { reject } of batch) reject(error)
      return
    }
    this.onCommit(committedOf(appends, outcomes))
    batch.forEach(({ resolve }, item) => {
      resolve(outcomes[item] as AppendOutcome)
    })
  }

  /** The statement failed as a whole. One event must not make the others fail. */
  async #commitApart(batch: readonly Waiting[]): Promise<void> {
    for (const waiting of batch) await this.#commit([waiting])
  }
}
