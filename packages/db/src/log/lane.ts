import { unavailable } from '@collab-spaces/domain'
import { isUnavailable, isWorthARetry } from '../connection/fault.js'
import type { Outage } from '../connection/outage.js'
import type { AppendOutcome, GroupOutcome, SkipReason } from './append.js'
import type { Append } from './append-statement.js'

/** For a statement that loses a race, each time against another one. */
export const MAX_TRIES = 3
const SCAN_INTERVAL_MS = 500

/** An append whose sender waits for its outcome. */
export interface Waiting {
  readonly append: Append
  readonly weight: number
  readonly since: number
  readonly resolve: (outcome: AppendOutcome) => void
  readonly reject: (error: unknown) => void
}

/** Two spaces of different tenants may have the same id. */
export const spaceOf = ({ append: { tenant_id, space_id } }: Waiting) => `${tenant_id}/${space_id}`

/** When an append that waits is refused. It is not stored, and can be sent again. */
export interface Waits {
  /** After this time. */
  readonly maxWaitMs: number
  /** When the connections that appends need have fallen silent meanwhile. */
  readonly outage: Outage
}

/** How many groups are in flight at a time, and how large they are at most. */
export interface GroupOptions {
  readonly width: number
  readonly maxWeight: number
}

/** Writes a group in one statement and one commit. */
export type Write = (appends: readonly Append[]) => Promise<GroupOutcome[]>

/** A queue of appends, and the statements that empty it, of which a few are in flight at a time. */
export abstract class Lane {
  #inFlight = 0
  #scheduled = false
  #overdue: NodeJS.Timeout | null = null
  /** The outage that has been seen to. */
  #cutAt = Number.NEGATIVE_INFINITY

  constructor(
    protected readonly options: GroupOptions,
    private readonly write: Write,
    private readonly waits: Waits,
  ) {}

  abstract add(waiting: Waiting): void
  /** Removes and returns what the next statement is to write; nothing if there is nothing to write now. */
  protected abstract next(): Waiting[]
  /** A group is done, whatever became of it. */
  protected abstract done(group: readonly Waiting[]): void
  /** Takes an append whose space was passed over. */
  protected abstract skipped(waiting: Waiting, why: SkipReason): void
  /** Removes and returns those that a condition picks. */
  protected abstract remove(picks: (waiting: Waiting) => boolean): Waiting[]
  protected abstract get isEmpty(): boolean

  /** Waits for the end of the current turn of the event loop, so that concurrent requests share a commit. */
  protected schedule(): void {
    if (this.#scheduled || this.isEmpty) return
    this.#overdue ??= setTimeout(() => this.#refuseOverdue(), SCAN_INTERVAL_MS).unref()
    if (this.#inFlight >= this.options.width) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      void this.#flush()
    })
  }

  /** When more arrives than the database can write, the oldest are refused, so that waiting times stay limited. */
  #refuseOverdue(): void {
    this.#overdue = null
    const latest = performance.now() - this.waits.maxWaitMs
    this.#refuse(({ since }) => since <= latest)
    this.schedule()
  }

  /** Appends that come later, or have waited too briefly, are never cut by the same outage. */
  #refuseCut(): void {
    const { outage } = this.waits
    if (outage.foundAt === this.#cutAt) return
    this.#cutAt = outage.foundAt
    this.#refuse(({ since }) => outage.hasCut(since))
  }

  #refuse(picks: (waiting: Waiting) => boolean): void {
    for (const { reject } of this.remove(picks)) reject(unavailable())
  }

  async #flush(): Promise<void> {
    this.#refuseCut()
    const group = this.next()
    if (group.length === 0) return
    this.#inFlight++
    this.schedule()
    try {
      await this.#commit(group)
    } finally {
      this.#inFlight--
      this.done(group)
      this.schedule()
    }
  }

  async #commit(group: readonly Waiting[], tries = 1): Promise<void> {
    let outcomes: GroupOutcome[]
    try {
      outcomes = await this.write(group.map(({ append }) => append))
    } catch (error) {
      if (isWorthARetry(error) && tries < MAX_TRIES) return this.#commit(group, tries + 1)
      if (group.length > 1 && !isUnavailable(error)) return this.#commitApart(group)
      for (const { reject } of group) reject(error)
      return
    }
    group.forEach((waiting, item) => {
      const outcome = outcomes[item] as GroupOutcome
      if (outcome.kind === 'locked' || outcome.kind === 'guarded') this.skipped(waiting, outcome.kind)
      else waiting.resolve(outcome)
    })
  }

  /** The statement failed as a whole. One event must not make the others fail. */
  async #commitApart(group: readonly Waiting[]): Promise<void> {
    for (const waiting of group) await this.#commit([waiting])
  }
}
