import { unavailable } from '@collab-spaces/domain'
import { isUnavailable, isWorthARetry } from '../connection/fault.js'
import type { Outage } from '../connection/outage.js'
import type { AppendOutcome, GroupOutcome, SkipReason } from './append.js'
import type { Append } from './append-statement.js'

/** The limit of tries of a statement that loses races, each against a different statement. */
export const MAX_TRIES = 3
const SCAN_INTERVAL_MS = 500

/** A pending append, with the promise of its sender. */
export interface PendingAppend {
  readonly append: Append
  readonly weight: number
  readonly since: number
  readonly resolve: (outcome: AppendOutcome) => void
  readonly reject: (error: unknown) => void
}

/** A key with the tenant, as space ids are unique only within a tenant. */
export const spaceOf = ({ append: { tenant_id, space_id } }: PendingAppend) => `${tenant_id}/${space_id}`

/** The conditions for refusing a pending append. A refused append is not stored and can be retried. */
export interface Waits {
  /** The timeout. */
  readonly maxWaitMs: number
  /** An outage of the connections for appends during the wait. */
  readonly outage: Outage
}

/** The limits on concurrent groups in flight and on the weight of a group. */
export interface GroupOptions {
  readonly width: number
  readonly maxWeight: number
}

/** Writes a group in one statement and one commit. */
export type Write = (appends: readonly Append[]) => Promise<GroupOutcome[]>

/** A queue of appends, drained by a limited number of concurrent statements. */
export abstract class Lane {
  #inFlight = 0
  #scheduled = false
  #overdue: NodeJS.Timeout | null = null
  /** The time of the last outage handled. */
  #cutAt = Number.NEGATIVE_INFINITY

  constructor(
    protected readonly options: GroupOptions,
    private readonly write: Write,
    private readonly waits: Waits,
  ) {}

  abstract add(waiting: PendingAppend): void
  /** Dequeues the appends of the next statement; empty if none can be written now. */
  protected abstract next(): PendingAppend[]
  /** Handles the end of a group, whatever its outcome. */
  protected abstract done(group: readonly PendingAppend[]): void
  /** Takes an append to a skipped space. */
  protected abstract skipped(waiting: PendingAppend, why: SkipReason): void
  /** Removes and returns the appends that match a predicate. */
  protected abstract remove(picks: (waiting: PendingAppend) => boolean): PendingAppend[]
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

  /** Refuses the oldest appends under overload, which bounds the waiting time. */
  #refuseOverdue(): void {
    this.#overdue = null
    const latest = performance.now() - this.waits.maxWaitMs
    this.#refuse(({ since }) => since <= latest)
    this.schedule()
  }

  /** Runs once per outage: it never cuts later appends, or appends that have waited too briefly. */
  #refuseCut(): void {
    const { outage } = this.waits
    if (outage.foundAt === this.#cutAt) return
    this.#cutAt = outage.foundAt
    this.#refuse(({ since }) => outage.hasCut(since))
  }

  #refuse(picks: (waiting: PendingAppend) => boolean): void {
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

  async #commit(group: readonly PendingAppend[], tries = 1): Promise<void> {
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

  /** Retries the appends of a failed statement one by one, so that one event cannot fail the others. */
  async #commitApart(group: readonly PendingAppend[]): Promise<void> {
    for (const waiting of group) await this.#commit([waiting])
  }
}
