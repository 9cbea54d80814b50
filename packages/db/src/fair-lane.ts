import { tooBusy } from '@collab-spaces/domain'
import { FairQueue, type Payer } from './fair-queue.js'

/** Calls back when the one who asked no longer waits for the answer. */
export type WhenGone = (callback: () => void) => void

/** Who a piece of work is for, and how it is told that nobody waits for it any more. */
export interface Asker extends Payer {
  readonly whenGone?: WhenGone | undefined
}

export interface LaneOptions {
  /** How much work is under way at a time. */
  readonly width: number
  /** How much of it may be one actor's. */
  readonly mostOfActor: number
  /** Work that waits for its turn longer than this is refused. */
  readonly maxWaitMs: number
}

interface Waiting {
  readonly asker: Asker
  readonly start: () => void
}

/**
 * Work that takes long, a little of it at a time. Tenants take turns, and no tenant has the whole width unless it is
 * one.
 */
export class FairLane {
  readonly #queue = new FairQueue<Waiting>()
  readonly #running = new Set<Asker>()

  constructor(private readonly options: LaneOptions) {}

  /** Does the work when its turn comes. Rejects when that takes too long, or when the asker leaves before. */
  async run<T>(asker: Asker, work: () => Promise<T>): Promise<T> {
    await this.#turn(asker)
    try {
      return await work()
    } finally {
      this.#running.delete(asker)
      this.#startNext()
    }
  }

  #turn(asker: Asker): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        if (this.#queue.remove((other) => other === waiting).length > 0) reject(tooBusy())
      }
      const overdue = setTimeout(giveUp, this.options.maxWaitMs)
      const waiting: Waiting = {
        asker,
        start() {
          clearTimeout(overdue)
          resolve()
        },
      }
      asker.whenGone?.(giveUp)
      this.#queue.push(asker, waiting)
      this.#startNext()
    })
  }

  #startNext(): void {
    while (this.#running.size < this.options.width) {
      const next = this.#queue.shift((payer) => this.#mayStart(payer))
      if (!next) return
      this.#running.add(next.asker)
      next.start()
    }
  }

  #mayStart({ scope, actorId }: Payer): boolean {
    const { width, mostOfActor } = this.options
    const ofTenant = [...this.#running].filter((running) => running.scope === scope)
    const ofActor = ofTenant.filter((running) => running.actorId === actorId)
    return ofActor.length < mostOfActor && ofTenant.length < Math.max(1, width - 1)
  }
}
