import { tooBusy, unavailable } from '@collab-spaces/domain'
import type { Silence } from '../connection/silence.js'
import { FairQueue, type Payer } from './queue.js'

/** Calls back, once, when the one who asked no longer waits for the answer. What it returns says not to. */
export type WhenGone = (callback: () => void) => () => void

/** Calls back when the work is to end, because others have waited for long enough. */
export type WhenAskedToYield = (callback: () => void) => void

/** Who a piece of work is for, and how it is told that nobody waits for it any more. */
export interface Asker extends Payer {
  readonly whenGone?: WhenGone | undefined
  /** What requests are counted by, besides tenants and actors; null for the machine itself. */
  address?(): string | null
}

export interface LaneOptions {
  /** How much work is under way at a time. */
  readonly width: number
  /** How much of it may be one actor's. */
  readonly mostOfActor: number
  /** Work that waits for its turn longer than this is refused. */
  readonly maxWaitMs: number
  /** How much work may wait, where what waits takes memory. Beyond it, whoever has most of it waiting is refused. */
  readonly mostWaiting?: number
  /** Work that takes longer is asked to yield to a tenant that has none under way, and has waited as long. */
  readonly yieldAfterMs?: number
  /** Of the connections that the work needs. */
  readonly silence?: Silence
}

interface Waiting {
  readonly asker: Asker
  readonly since: number
  readonly start: (running: Running) => void
  readonly refuse: (why: Error) => void
}

interface Running {
  readonly asker: Asker
  readonly since: number
  readonly onYield: (() => void)[]
}

const LOOK_EVERY_MS = 200

/**
 * Work that takes long, a little of it at a time. Tenants take turns, and no tenant, and nobody with several of them at
 * one address, has the whole width unless it is one.
 */
export class FairLane {
  readonly #queue = new FairQueue<Waiting>()
  readonly #running = new Set<Running>()
  #look: NodeJS.Timeout | null = null

  constructor(private readonly options: LaneOptions) {}

  /** Does the work when its turn comes. Rejects when that takes too long, or when the asker leaves before. */
  async run<T>(asker: Asker, work: (whenAskedToYield: WhenAskedToYield) => Promise<T>): Promise<T> {
    const running = this.#startAtOnce(asker) ?? (await this.#turn(asker))
    try {
      return await work((callback) => running.onYield.push(callback))
    } finally {
      this.#running.delete(running)
      this.#startNext()
    }
  }

  #turn(asker: Asker): Promise<Running> {
    return new Promise((resolve, reject) => {
      let stopListening: (() => void) | undefined
      const settled = () => {
        clearTimeout(overdue)
        stopListening?.()
      }
      const refuse = (why: Error) => {
        settled()
        reject(why)
      }
      const giveUp = () => {
        if (this.#queue.delete(asker, waiting)) refuse(tooBusy())
      }
      const overdue = setTimeout(giveUp, this.options.maxWaitMs)
      const waiting: Waiting = {
        asker,
        since: performance.now(),
        start(running) {
          settled()
          resolve(running)
        },
        refuse,
      }
      this.#queue.push(asker, waiting)
      // At once, if they have left already.
      stopListening = asker.whenGone?.(giveUp)
      this.#startNext()
      const { mostWaiting = Number.POSITIVE_INFINITY } = this.options
      if (this.#queue.size > mostWaiting) this.#queue.popOfMost()?.refuse(tooBusy())
    })
  }

  /** Where nothing waits, a turn costs next to nothing. */
  #startAtOnce(asker: Asker): Running | null {
    const isFree = this.#queue.size === 0 && this.#running.size < this.options.width
    return isFree && this.#mayAnyOf(asker.scope) && this.#mayStart(asker) ? this.#start(asker) : null
  }

  #start(asker: Asker): Running {
    const running: Running = { asker, since: performance.now(), onYield: [] }
    this.#running.add(running)
    return running
  }

  #startNext(): void {
    while (this.#running.size < this.options.width) {
      const next = this.#queue.shift(
        (_, { asker }) => this.#mayStart(asker),
        (scope) => this.#mayAnyOf(scope),
      )
      if (!next) break
      if (this.options.silence?.hasCut(next.since)) next.refuse(unavailable())
      else next.start(this.#start(next.asker))
    }
    if (this.#queue.size > 0) this.#lookForOverdue()
  }

  #mayAnyOf(scope: Asker['scope']): boolean {
    return this.#runningOf((each) => each.scope === scope) < this.#mostOfOne
  }

  /** Of a tenant that may have more. */
  #mayStart(asker: Asker): boolean {
    const isSame = ({ scope, actorId }: Asker) => scope === asker.scope && actorId === asker.actorId
    if (this.#runningOf(isSame) >= this.options.mostOfActor) return false
    const address = asker.address?.() ?? null
    return address === null || this.#runningOf((each) => each.address?.() === address) < this.#mostOfOne
  }

  /** A tenant, or an address, leaves a place to others. */
  get #mostOfOne(): number {
    return Math.max(1, this.options.width - 1)
  }

  #runningOf(is: (asker: Asker) => boolean): number {
    let count = 0
    for (const { asker } of this.#running) if (is(asker)) count++
    return count
  }

  #lookForOverdue(): void {
    const { yieldAfterMs } = this.options
    if (yieldAfterMs === undefined) return
    this.#look ??= setTimeout(() => {
      this.#look = null
      this.#makeRoom(performance.now() - yieldAfterMs)
      if (this.#queue.size > 0) this.#lookForOverdue()
    }, LOOK_EVERY_MS).unref()
  }

  /** Asks the work that has been under way for longest to yield to another tenant, if both have been there before. */
  #makeRoom(before: number): void {
    if (this.#running.size < this.options.width) return
    const tenants = new Set([...this.#running].map(({ asker }) => asker.scope))
    if (!this.#queue.some(({ asker, since }) => since < before && !tenants.has(asker.scope))) return
    // What was asked already has no callbacks left.
    const longest = [...this.#running].find(({ since, onYield }) => since < before && onYield.length > 0)
    for (const onYield of longest?.onYield.splice(0) ?? []) onYield()
  }
}
