import type { DomainError } from '@collab-spaces/domain'
import type { Signal } from '../schemas/signal.js'
import type { Batch } from './batch.js'

/** A receiver of the events of a space in their order, with the back-pressure of a Node stream. */
export interface Subscriber {
  /** Takes the next events. False when it can take no more until the subscription is resumed. */
  write(batch: Batch): boolean
  /** Takes what is told beside events. */
  tell?(signal: Signal): void
  /** There will be no more, for this reason. */
  end(reason: DomainError | null): void
  /** There will be no more: the log cannot be read. */
  fail(error: unknown): void
}

/** The source of the events of a subscription. */
export interface Source {
  enter(subscription: Subscription): void
  leave(subscription: Subscription): void
  /** The events right after a position; null when there are none yet. */
  after(position: number): Batch | 'in the log' | null
  /** The events that the log has right after a position; null when it has none. */
  readLog(position: number): Promise<Batch | null>
}

/**
 * A subscriber's place in a space. While there is nothing to deliver it is this object and no more: no promise waits
 * and no timer runs, however many thousands there are.
 */
export class Subscription {
  #state: 'waiting' | 'reading the log' | 'paused' | 'closed' = 'waiting'

  constructor(
    private readonly source: Source,
    private position: number,
    private readonly subscriber: Subscriber,
  ) {
    source.enter(this)
  }

  /** The position up to which the subscriber has been given everything. */
  get delivered(): number {
    return this.position
  }

  /** Delivers what there is after its position, until that is all or the subscriber can take no more. */
  advance(): void {
    while (this.#state === 'waiting') {
      const next = this.source.after(this.position)
      if (next === null) return
      if (next === 'in the log') void this.#readLog()
      else this.#deliver(next)
    }
  }

  tell(signal: Signal): void {
    if (this.#state !== 'closed') this.subscriber.tell?.(signal)
  }

  /** The subscriber can take more. */
  resume(): void {
    if (this.#state !== 'paused') return
    this.#state = 'waiting'
    this.advance()
  }

  /** The subscriber wants no more. */
  close(): void {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    this.source.leave(this)
  }

  /** There is no more to come, for this reason. */
  end(reason: DomainError): void {
    if (this.#state === 'closed') return
    this.close()
    this.subscriber.end(reason)
  }

  #deliver(batch: Batch): void {
    this.position = batch.last
    const canTakeMore = this.subscriber.write(batch)
    if (!canTakeMore && this.#state === 'waiting') this.#state = 'paused'
  }

  async #readLog(): Promise<void> {
    this.#state = 'reading the log'
    try {
      const batch = await this.source.readLog(this.position)
      if (this.#isClosed()) return
      this.#state = 'waiting'
      if (batch) this.#deliver(batch)
    } catch (error) {
      if (this.#isClosed()) return
      this.close()
      this.subscriber.fail(error)
    }
    this.advance()
  }

  /** Asked anew after each wait: the subscriber may have left meanwhile. */
  #isClosed(): boolean {
    return this.#state === 'closed'
  }
}
