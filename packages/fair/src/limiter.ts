import { tooBusy, tooCostly, unavailable } from '@collab-spaces/domain'
import { type FairKey, FairQueue } from './queue.js'

/** Registers a callback for the client's disconnect, called at most once. Returns a function that unregisters it. */
export type WhenGone = (callback: () => void) => () => void

/** A request for a slot: its fairness key, and a callback for the client's disconnect. */
export interface SlotRequest {
  readonly fairKey: FairKey
  readonly whenGone?: WhenGone | undefined
  /** The address that requests are also counted by; null for requests from the server itself. */
  address?(): string | null
}

export interface LimiterOptions {
  /** The number of slots. */
  readonly width: number
  /** The maximum of slots for one human; by default that of its tenant. */
  readonly maxPerHuman?: number
  /** Skips the count by address, which costs more than a slot: for the most frequent kinds of request. */
  readonly ignoresAddresses?: true
  /** The maximum wait for a slot, in milliseconds. Longer waits are refused. */
  readonly maxWaitMs: number
  /** The maximum queue, where waiting work takes memory. Beyond it, the key with the most waiting work is refused. */
  readonly maxWaiting?: number
  /** After this time, work yields its slot to a tenant without one that has waited as long. */
  readonly yieldAfterMs?: number
  /** Whether a request that has waited since this time, by `performance.now()`, is stale and must be refused. */
  readonly isStale?: (since: number) => boolean
}

interface PendingTask {
  readonly slot: Slot
  readonly since: number
  readonly start: () => void
  readonly refuse: (why: Error) => void
}

/** The slots in use, the waiting requests and the refusals of a limiter. */
export interface LimiterUse {
  readonly width: number
  readonly used: number
  readonly waiting: number
  /** Refusals since the start, for a timeout or a full queue. */
  readonly refused: number
}

const SCAN_INTERVAL_MS = 200

/**
 * Limits concurrent work of one kind to a number of slots. Tenants take turns, within a tenant its humans, and within a
 * human the credentials. No tenant and no address gets all slots, unless only one slot exists.
 */
export class FairLimiter {
  readonly #queue = new FairQueue<PendingTask>()
  /** In the order of acquisition. A set would keep the request of each slot alive (`docs/performance.md`). */
  readonly #held: Slot[] = []
  /** The slots in use, by tenant, human and address. */
  readonly #counts = new Map<string, number>()
  readonly #maxPerTenant: number
  readonly #maxPerHuman: number
  #look: NodeJS.Timeout | null = null
  #refused = 0

  constructor(private readonly options: LimiterOptions) {
    this.#maxPerTenant = Math.max(1, options.width - 1)
    this.#maxPerHuman = options.maxPerHuman ?? this.#maxPerTenant
  }

  get use(): LimiterUse {
    return {
      width: this.options.width,
      used: this.#held.length,
      waiting: this.#queue.size,
      refused: this.#refused,
    }
  }

  /** Runs the work while it holds a slot. Rejects on a timeout, or when the client disconnects before it has a slot. */
  async run<T>(request: SlotRequest, work: (slot: Slot) => Promise<T>): Promise<T> {
    const address = this.options.ignoresAddresses ? null : (request.address?.() ?? null)
    const slot = new Slot(request, address, this)
    if (!this.takeAtOnce(slot)) await this.take(slot)
    try {
      return await work(slot)
    } finally {
      slot.end()
    }
  }

  /** Takes a slot without queueing if one is free and no request is waiting. Returns whether it did. */
  takeAtOnce(slot: Slot): boolean {
    const { fairKey } = slot.request
    const isFree = this.#queue.size === 0 && this.#held.length < this.options.width
    if (!isFree || !this.#mayBegin(slot)) return false
    for (let level = 0; level < fairKey.length; level++)
      if (!this.#mayAnyOf(fairKey[level] as string, level)) return false
    this.#hold(slot)
    return true
  }

  take(slot: Slot): Promise<void> {
    const { request } = slot
    return new Promise((resolve, reject) => {
      let stopListening: (() => void) | undefined
      const settle = () => {
        clearTimeout(overdue)
        stopListening?.()
      }
      const end = (why: Error) => {
        settle()
        reject(why)
      }
      const refuse = (why: Error) => {
        this.#refused++
        end(why)
      }
      const giveUp = (give: (why: Error) => void) => {
        if (this.#queue.delete(request.fairKey, waiting)) give(tooBusy())
      }
      const overdue = setTimeout(() => giveUp(refuse), this.options.maxWaitMs)
      const start = () => {
        settle()
        this.#hold(slot)
        resolve()
      }
      const waiting: PendingTask = { slot, since: performance.now(), start, refuse }
      this.#queue.push(request.fairKey, waiting)
      // At once if the client has disconnected already; then no work is refused.
      stopListening = request.whenGone?.(() => giveUp(end))
      this.#startNext()
      const { maxWaiting = Number.POSITIVE_INFINITY } = this.options
      if (this.#queue.size > maxWaiting) this.#queue.popFromLargest()?.refuse(tooBusy())
    })
  }

  giveBack(slot: Slot): void {
    const index = this.#held.indexOf(slot)
    if (index === -1) return
    this.#held.splice(index, 1)
    this.#count(slot, -1)
    this.#startNext()
  }

  #hold(slot: Slot): void {
    slot.since = performance.now()
    this.#held.push(slot)
    this.#count(slot, 1)
  }

  #count({ request, address }: Slot, by: 1 | -1): void {
    const [tenant, human] = request.fairKey
    if (tenant !== undefined) this.#add(tenant, by)
    if (human !== undefined) this.#add(human, by)
    if (address !== null) this.#add(address, by)
  }

  #add(name: string, by: 1 | -1): void {
    const count = (this.#counts.get(name) ?? 0) + by
    if (count === 0) this.#counts.delete(name)
    else this.#counts.set(name, count)
  }

  #startNext(): void {
    while (this.#held.length < this.options.width) {
      const next = this.#queue.shift(
        (name, level) => this.#mayAnyOf(name, level),
        ({ slot }) => this.#mayBegin(slot),
      )
      if (!next) break
      if (this.options.isStale?.(next.since)) next.refuse(unavailable())
      else next.start()
    }
    if (this.#queue.size > 0) this.#lookForOverdue()
  }

  /** Returns whether a tenant or human is below its maximum. Credentials have no maximum of their own. */
  #mayAnyOf(name: string, level: number): boolean {
    if (level > 1) return true
    return (this.#counts.get(name) ?? 0) < (level === 0 ? this.#maxPerTenant : this.#maxPerHuman)
  }

  /** Returns whether the address is below its maximum, which is that of a tenant. */
  #mayBegin({ address }: Slot): boolean {
    return address === null || (this.#counts.get(address) ?? 0) < this.#maxPerTenant
  }

  #lookForOverdue(): void {
    const { yieldAfterMs } = this.options
    if (yieldAfterMs === undefined) return
    this.#look ??= setTimeout(() => {
      this.#look = null
      this.#makeRoom(performance.now() - yieldAfterMs)
      if (this.#queue.size > 0) this.#lookForOverdue()
    }, SCAN_INTERVAL_MS).unref()
  }

  /**
   * Ends the longest-running work that can yield, if it and a request of a tenant without slots both exceed the time.
   */
  #makeRoom(before: number): void {
    if (this.#held.length < this.options.width) return
    const tenants = new Set(this.#held.map(tenantOf))
    if (!this.#queue.some((waiting) => waiting.since < before && !tenants.has(tenantOf(waiting.slot)))) return
    const longest = this.#held.find((slot) => slot.since < before && slot.canYield)
    longest?.yield()
  }
}

const tenantOf = ({ request }: Slot) => request.fairKey[0]

/** The slot that running work holds. */
export class Slot {
  since = 0
  #abort: AbortController | null = null
  #stopListening: (() => void) | undefined

  constructor(
    readonly request: SlotRequest,
    readonly address: string | null,
    private readonly limiter: FairLimiter,
  ) {}

  /** Aborted when the client has disconnected, or when the work must yield: its reason is the refusal. */
  get signal(): AbortSignal {
    if (!this.#abort) {
      const abort = new AbortController()
      this.#abort = abort
      this.#stopListening = this.request.whenGone?.(() => abort.abort(tooBusy()))
    }
    return this.#abort.signal
  }

  /**
   * Releases the slot during a wait, and takes one again afterwards. Rejects when none is free in time, although the
   * wait itself has succeeded.
   */
  async rest<T>(wait: () => Promise<T>): Promise<T> {
    this.limiter.giveBack(this)
    const result = await wait()
    if (!this.limiter.takeAtOnce(this)) await this.limiter.take(this)
    return result
  }

  /** Whether the work listens to its signal, and so can be asked to yield. */
  get canYield(): boolean {
    return this.#abort?.signal.aborted === false
  }

  yield(): void {
    this.#abort?.abort(tooCostly())
  }

  /** Releases the slot before the work is over. The rest of the work is then limited by another queue. */
  end(): void {
    this.#stopListening?.()
    this.limiter.giveBack(this)
  }
}
