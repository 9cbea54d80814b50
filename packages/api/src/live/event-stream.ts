import type { Beginning } from '@collab-spaces/db'
import type { DomainError, ReadableSpace } from '@collab-spaces/domain'
import type { TrackedEnvelope } from '@trpc/server'
import type { Caller } from '../procedure/credential.js'
import type { Event } from '../schemas/event.js'
import type { Signal } from '../schemas/signal.js'
import type { Services } from '../services.js'
import type { Batch } from './batch.js'
import type { DeliveringStream } from './deliveries.js'
import type { Revocable } from './revocation-watcher.js'
import type { LiveStream, Subscriber, Subscription } from './subscription.js'

/** The position where a stream starts. */
export interface StreamStart extends Beginning {
  /** Whether it also signals acts about the space or its decisions. */
  readonly includesActs?: boolean
  /** Whether it also signals changes of reactions. */
  readonly includesReactions?: boolean
}

/**
 * The live events of a space for one caller: a replay from the log, then the tail, until the caller disconnects or its
 * credential ends.
 */
export class EventStream implements Revocable, DeliveringStream, LiveStream, Subscriber {
  /**
   * Declared only so that tRPC's clients know the type of a subscription: adapters write whole batches, formatted once
   * for all readers.
   */
  declare readonly [Symbol.asyncIterator]: () => AsyncIterator<TrackedEnvelope<Event>>

  readonly isLive = true
  #subscriber: Subscriber | null = null
  #subscription: Subscription | null = null

  get space(): ReadableSpace {
    return this.start.space
  }

  constructor(
    private readonly services: Pick<Services, 'hub' | 'revocations' | 'deliveries'>,
    readonly caller: Caller,
    private readonly start: StreamStart,
    /** Called when it ends, even if it was never opened. */
    private readonly onClose: () => void = () => {},
  ) {}

  get missed(): Signal | null {
    const { includesActs, includesReactions, space } = this.start
    if (includesActs && includesReactions) return { kind: 'missed' }
    if (includesActs) return { kind: 'act', space_id: space.spaceId, decision_id: null }
    return includesReactions ? { kind: 'reaction', space_id: space.spaceId, event_id: null } : null
  }

  /** Starts delivery. The subscriber's `end` is also called when the credential ends. */
  open(subscriber: Subscriber): void {
    const { hub, revocations, deliveries } = this.services
    this.#subscriber = subscriber
    revocations.watch(this)
    this.#subscription = hub.subscribe(this.start, this)
    deliveries.watch(this)
  }

  write(batch: Batch): boolean {
    return this.#subscriber?.write(batch) ?? false
  }

  send(signal: Signal): void {
    if (this.#includes(signal)) this.#subscriber?.send?.(signal)
  }

  end(reason: DomainError | null): void {
    this.#subscriber?.end(reason)
  }

  fail(error: unknown): void {
    this.#subscriber?.fail(error)
  }

  #includes({ kind }: Signal): boolean {
    const { includesActs = false, includesReactions = false } = this.start
    return kind === 'reaction' ? includesReactions : includesActs
  }

  delivered() {
    const { space, after } = this.start
    return { spaceId: space.spaceId, after, through: this.#subscription?.delivered ?? after }
  }

  resume(): void {
    this.#subscription?.resume()
  }

  close(): void {
    this.#subscription?.close()
    this.services.revocations.unwatch(this)
    this.services.deliveries.unwatch(this)
    this.onClose()
  }

  revoke(reason: DomainError | null): void {
    this.close()
    this.#subscriber?.end(reason)
  }
}
