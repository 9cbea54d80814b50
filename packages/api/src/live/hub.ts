import type { Beginning, Bus, CommittedEvent, SpaceKey } from '@collab-spaces/db'
import { type ReadableSpace, stopping, unknown } from '@collab-spaces/domain'
import { coalesced } from './coalesced.js'
import { Scheduler } from './scheduler.js'
import { type Subscriber, Subscription } from './subscription.js'
import { type LogReader, Tail } from './tail.js'
import { TailBudget } from './tail-budget.js'

/** The worst delay of an event when signals are lost. */
const POLL_INTERVAL_MS = 1_000

/**
 * Fan-out. One tail per subscribed space holds the newest events, fed by commits of this process directly and of other
 * instances through signals. Subscriptions pull: each reads on from its own position, from the tail if that reaches back far
 * enough and from the log otherwise. Nothing is queued for a subscriber, so a slow one costs no memory. Replay joins the
 * live tail at a position, so nothing is missed or repeated.
 */
export class Hub {
  readonly #tails = new Map<string, Tail>()
  readonly #scheduler = new Scheduler()
  readonly #budget = new TailBudget()
  #poll: NodeJS.Timeout | null = null
  #isInterrupted = false
  #closed = false

  constructor(
    private readonly log: LogReader,
    private readonly bus: Bus,
    private readonly onFault: (error: unknown) => void,
  ) {
    bus.subscribe((signal) => {
      if (signal.kind === 'head') this.#tails.get(keyOf(signal))?.onHead(signal.head)
      if (signal.kind === 'erased') this.#onErased(keyOf(signal))
      if (signal.kind === 'decision') this.#tails.get(keyOf(signal))?.onAct(signal.decisionId)
      if (signal.kind === 'reaction') this.#tails.get(keyOf(signal))?.onReaction(signal.eventId)
      if (signal.kind === 'space') this.#tails.get(keyOf(signal))?.onAct(null)
      if (signal.kind === 'interrupted') this.#onInterrupted()
      if (signal.kind === 'resumed') this.#onResumed()
    })
  }

  /** Publishes events: the only function that does, and only after their commit. */
  publish(committed: readonly CommittedEvent[]): void {
    const heads = new Map<string, CommittedEvent>()
    for (const event of committed) {
      const key = keyOf(event)
      this.#tails.get(key)?.add(event)
      heads.set(key, event)
    }
    for (const { tenantId, spaceId, position } of heads.values()) {
      this.bus.publish({ kind: 'head', tenantId, spaceId, head: position })
    }
  }

  /** Delivers the events of a space after a position, past and future, until the subscription is closed. */
  subscribe({ space, after }: Beginning, subscriber: Subscriber): Subscription {
    const subscription = new Subscription(this.#tailOf(space), after, subscriber)
    if (this.#closed) subscription.end(stopping())
    else subscription.advance()
    return subscription
  }

  /** Ends all subscriptions, and those made later. */
  close(): void {
    this.#closed = true
    for (const tail of this.#tails.values()) tail.end(stopping())
  }

  #tailOf(space: ReadableSpace): Tail {
    const key = keyOf(space)
    let tail = this.#tails.get(key)
    if (!tail) {
      tail = new Tail(space, this.log, this.#scheduler, this.#budget, this.onFault, () => this.#drop(key))
      if (this.#isInterrupted) tail.doubt()
      this.#tails.set(key, tail)
    }
    this.#poll ??= setInterval(() => void this.#pollHeads(), POLL_INTERVAL_MS).unref()
    return tail
  }

  #drop(key: string): void {
    this.#tails.delete(key)
    if (this.#tails.size === 0 && this.#poll) {
      clearInterval(this.#poll)
      this.#poll = null
    }
  }

  #onInterrupted(): void {
    this.#isInterrupted = true
    for (const tail of this.#tails.values()) tail.doubt()
  }

  /** Signals may have been lost: anything may have happened. */
  #onResumed(): void {
    this.#isInterrupted = false
    void this.#pollHeads()
    for (const tail of this.#tails.values()) {
      void tail.settle()
      tail.onAct(null)
      tail.onReaction(null)
    }
  }

  #onErased(key: string): void {
    const tail = this.#tails.get(key)
    if (!tail) return
    tail.invalidate()
    void this.#pollHeads()
  }

  /** Reads all heads in one query: the log is the truth, whether or not signals arrived. */
  readonly #pollHeads = coalesced(async () => {
    try {
      const tails = [...this.#tails.values()]
      const found = new Map(
        (await this.log.heads(tails.map(({ space }) => space))).map((space) => [keyOf(space), space]),
      )
      for (const tail of tails) {
        const space = found.get(keyOf(tail.space))
        if (space) tail.onState(space)
        else tail.end(unknown('Space'))
      }
    } catch (error) {
      this.onFault(error)
    }
  })
}

const keyOf = ({ tenantId, spaceId }: SpaceKey) => `${tenantId}/${spaceId}`
