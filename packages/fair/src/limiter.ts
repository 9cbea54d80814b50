import { tooBusy, tooCostly, unavailable } from '@collab-spaces/domain'
import { type FairKey, FairQueue } from './queue.js'

/** Calls back, once, when the one who asked no longer waits for the answer. The function it returns takes that back. */
export type WhenGone = (callback: () => void) => () => void

/** A request for a slot: its fairness key, and a callback for the client's disconnect. */
export interface SlotRequest {
  readonly fairKey: FairKey
  readonly whenGone?: WhenGone | undefined
  /** The address that requests are counted by, besides their payers; null for the machine itself. */
  address?(): string | null
}

export interface LimiterOptions {
  /** How many slots there are. */
  readonly width: number
  /** How many of them one human may have; by default as many as its tenant. */
  readonly maxPerHuman?: number
  /** Not counted by address, which takes longer to find out than a slot: for what is asked for most often. */
  readonly ignoresAddresses?: true
  /** Work that waits for a slot for longer than this is refused, in milliseconds. */
  readonly maxWaitMs: number
  /** The maximum queue, where waiting work takes memory. Beyond it, the key with the most waiting work is refused. */
  readonly maxWaiting?: number
  /** Work that takes longer is ended for a tenant that has no slot, and has waited as long. */
  readonly yieldAfterMs?: number
  /** Whether what has waited since then, by `performance.now()`, waits in vain. */
  readonly isStale?: (since: number) => boolean
}

interface Waiting {
  readonly slot: Slot
  readonly since: number
  readonly start: () => void
  readonly refuse: (why: Error) => void
}

/** How much of a limiter is taken, and how much work it has refused. */
export interface LimiterUse {
  readonly width: number
  readonly used: number
  readonly waiting: number
  /** Since the start: what got no slot in time, or was too much. */
  readonly refused: number
}

const SCAN_INTERVAL_MS = 200

/**
 * A number of slots for work of one kind. Tenants take turns, within a tenant its humans, and within a human the
 * credentials. No tenant, and no address with several tenants, has all slots, unless there is only one.
 */
export class FairLimiter {
  readonly #queue = new FairQueue<Waiting>()
  /** In the order in which they were taken. A set would keep alive what each of them was for (`docs/performance.md`). */
  readonly #held: Slot[] = []
  /** How many slots each tenant, human and address has. */
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

  /** Does the work while it holds a slot. Rejects when it does not get one in time, or when the claimant leaves before. */
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

  /** A slot costs next to nothing while nothing waits. */
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
      const waiting: Waiting = { slot, since: performance.now(), start, refuse }
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

  /** A credential may have what its human may. */
  #mayAnyOf(name: string, level: number): boolean {
    if (level > 1) return true
    return (this.#counts.get(name) ?? 0) < (level === 0 ? this.#maxPerTenant : this.#maxPerHuman)
  }

  /** An address leaves a slot to others, as a tenant does. */
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

  /** Ends the work that has had a slot for longest in favour of another tenant, if both have been there before. */
  #makeRoom(before: number): void {
    if (this.#held.length < this.options.width) return
    const tenants = new Set(this.#held.map(tenantOf))
    if (!this.#queue.some((waiting) => waiting.since < before && !tenants.has(tenantOf(waiting.slot)))) return
    const longest = this.#held.find((slot) => slot.since < before && slot.canYield)
    longest?.yield()
  }
}

const tenantOf = ({ request }: Slot) => request.fairKey[0]

/** The slot that work has while it is under way. */
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
   * Gives the slot back while something is waited for, and takes one again for what follows. Rejects when there is none in
   * time; what was waited for has happened all the same.
   */
  async rest<T>(wait: () => Promise<T>): Promise<T> {
    this.limiter.giveBack(this)
    const result = await wait()
    if (!this.limiter.takeAtOnce(this)) await this.limiter.take(this)
    return result
  }

  /** Whether its signal is in use. */
  get canYield(): boolean {
    return this.#abort?.signal.aborted === false
  }

  yield(): void {
    this.#abort?.abort(tooCostly())
  }

  /** Gives the slot back for good, before the work is over: what follows waits in a line of its own. */
  end(): void {
    this.#stopListening?.()
    this.limiter.giveBack(this)
  }
}
