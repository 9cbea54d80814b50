import { type SpaceStatus, unavailable } from '@collab-spaces/domain'
import type pg from 'pg'
import { isUnavailable, isWorthARetry } from '../fault.js'
import { type Append, type AppendOutcome, appendEach, type Committed, committedOf } from './append.js'

/** Two in flight keep PostgreSQL busy while the other one's commit is on its way to the disk. */
const MAX_IN_FLIGHT = 2
const MAX_BATCH = 128
/** Of a statement that loses a race, each time against another one. */
export const MAX_TRIES = 3
/** An append that nobody has begun to write after this long is refused: it is not stored, and may be tried again. */
export const MAX_WAIT_MS = 2_000
const LOOK_EVERY_MS = 500

interface Waiting {
  readonly append: Append
  readonly since: number
  readonly resolve: (outcome: AppendOutcome) => void
  readonly reject: (error: unknown) => void
}

/** Two uses of one key at the same moment: the second must see what became of the first. */
const idempotencyIdentity = ({ scope, spaceId, postedBy, idempotency }: Append) =>
  idempotency && JSON.stringify([scope, spaceId, postedBy, idempotency.key])

/**
 * Group commit: appends that arrive while others are on their way to the disk wait, and then go together, in one
 * statement and one commit. Under little load nothing waits; under much, the cost of a commit is shared.
 */
export class GroupCommit {
  readonly #waiting: Waiting[] = []
  #inFlight = 0
  #scheduled = false
  #overdue: NodeJS.Timeout | null = null

  constructor(
    private readonly pool: pg.Pool,
    private readonly accepting: readonly SpaceStatus[],
    /** Told of every committed event, in the order of the log within one batch, before its writer is answered. */
    private readonly onCommit: (committed: readonly Committed[]) => void,
  ) {}

  /** Resolves when the event is on the disk, or was refused. Rejects when it is not known to be there. */
  append(append: Append): Promise<AppendOutcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ append, since: performance.now(), resolve, reject })
      this.#schedule()
    })
  }

  /** Waits for the end of the current poll of the event loop, so that requests of one moment share a commit. */
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

  /** More comes than the database takes: rather than that all wait ever longer, the oldest are told to come back. */
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

  /** The database refused the statement as a whole: one event must not take the others with it. */
  async #commitApart(batch: readonly Waiting[]): Promise<void> {
    for (const waiting of batch) await this.#commit([waiting])
  }
}
