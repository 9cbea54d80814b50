import type { DomainError } from '@collab-spaces/domain'
import type { Signal } from '../schemas/signal.js'
import type { Batch } from './batch.js'

/** A receiver of the ordered events of a space, with back-pressure as in Node streams. */
export interface Subscriber {
  /** Takes the next events. Returns false if it can take no more until the subscription is resumed. */
  write(batch: Batch): boolean
  /** Takes a signal. */
  send?(signal: Signal): void
  /** Ends the events, for this reason. */
  end(reason: DomainError | null): void
  /** Ends the events, as the log cannot be read. */
  fail(error: unknown): void
}

/** The source of the events of a subscription. */
export interface Source {
  enter(subscription: Subscription): void
  leave(subscription: Subscription): void
  /** Returns the events right after a position; null if there are none yet. */
  after(position: number): Batch | 'in the log' | null
  /** Reads the events right after a position from the log; null if there are none. */
  readLog(position: number): Promise<Batch | null>
}

/**
 * A subscriber's position in a space. While there is nothing to deliver, it is only this object: no promise waits and no
 * timer runs, however many thousands there are.
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

  /** The last delivered position. */
  get delivered(): number {
    return this.position
  }

  /** Delivers the events after its position, to the end or until the subscriber can take no more. */
  advance(): void {
    while (this.#state === 'waiting') {
      const next = this.source.after(this.position)
      if (next === null) return
      if (next === 'in the log') void this.#readLog()
      else this.#deliver(next)
    }
  }

  send(signal: Signal): void {
    if (this.#state !== 'closed') this.subscriber.send?.(signal)
  }

  /** The subscriber can take more. */
  resume(): void {
    if (this.#state !== 'paused') return
    this.#state = 'waiting'
    this.advance()
  }

  /** The subscriber has disconnected. */
  close(): void {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    this.source.leave(this)
  }

  /** Ends the subscription for this reason. */
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

  /** A method, so that TypeScript does not narrow the state across an await. */
  #isClosed(): boolean {
    return this.#state === 'closed'
  }
}

/** The result of a subscription. An adapter opens it, and closes it when its reader disconnects. */
export interface LiveStream {
  /** The signal that replaces those a reader was too slow for; null if there are only events. */
  readonly missed: Signal | null
  open(subscriber: Subscriber): void
  /** The subscriber can take more. */
  resume(): void
  /** The subscriber is gone or has received the end. May be called before `open`. */
  close(): void
}
