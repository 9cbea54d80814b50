import { type Event, type Scope, stopping, unauthenticated } from '@collab-spaces/domain'
import { type TrackedEnvelope, tracked } from '@trpc/server'
import type { Caller } from '../procedure/credential.js'
import { asTrpcError, refusalOf } from '../procedure/fault.js'
import type { Services } from '../services.js'
import type { Batch } from './batch.js'
import type { Revocable } from './revocation-watcher.js'
import type { Subscriber, Subscription } from './subscription.js'

/** The place in a space's log where a stream begins. */
export interface StreamStart {
  readonly scope: Scope
  readonly spaceId: string
  /** The position after which it begins; 0 is the beginning. */
  readonly after: number
}

/**
 * The live events of a space for one caller: replay from the log, then the tail, until the caller leaves or its
 * credential ends. REST takes whole batches, framed once for all; tRPC takes event by event.
 */
export class EventStream implements Revocable, AsyncIterable<TrackedEnvelope<Event>> {
  #subscriber: Subscriber | null = null
  #subscription: Subscription | null = null
  #revoked = false

  constructor(
    private readonly services: Pick<Services, 'hub' | 'revocations'>,
    readonly caller: Caller,
    private readonly start: StreamStart,
    /** For whoever iterates over it: fires when the caller is gone. */
    private readonly gone: AbortSignal | undefined = undefined,
  ) {}

  /** Begins to deliver the events. The subscriber's `end` is also called when the credential ends. */
  open(subscriber: Subscriber): void {
    const { hub, revocations } = this.services
    const { scope, spaceId, after } = this.start
    this.#subscriber = subscriber
    revocations.watch(this)
    this.#subscription = hub.subscribe(scope, spaceId, after, subscriber)
  }

  /** The subscriber can take more. */
  resume(): void {
    this.#subscription?.resume()
  }

  /** The subscriber is gone, or has been told of the end. */
  close(): void {
    this.#subscription?.close()
    this.services.revocations.unwatch(this)
  }

  revoke(): void {
    this.#revoked = true
    this.close()
    this.#subscriber?.end()
  }

  /** Each event with its id as tRPC's tracking id, so that a client resumes by itself. */
  async *[Symbol.asyncIterator](): AsyncGenerator<TrackedEnvelope<Event>> {
    const batches = new BatchQueue(this)
    this.gone?.addEventListener('abort', () => batches.end(), { once: true })
    this.open(batches)
    try {
      for (let batch = await batches.next(); batch; batch = await batches.next()) {
        for (const { eventId, wire } of batch.entries) {
          if (batches.closed) break
          yield tracked(eventId, JSON.parse(wire) as Event)
        }
      }
    } catch (error) {
      const refused = refusalOf(error)
      throw refused ? asTrpcError(refused) : error
    } finally {
      this.close()
    }
    // An end without a word would tell the client that there is no more to come, and that it need not come back.
    if (!this.gone?.aborted) throw asTrpcError(this.#revoked ? unauthenticated() : stopping())
  }
}

/** At most one batch, kept for a loop that asks for one after the other. */
class BatchQueue implements Subscriber {
  closed = false
  #batch: Batch | null = null
  #failure: { readonly error: unknown } | null = null
  #wake = () => {}

  constructor(private readonly stream: EventStream) {}

  write(batch: Batch): boolean {
    this.#batch = batch
    this.#wake()
    return false
  }

  end(): void {
    this.closed = true
    this.#wake()
  }

  fail(error: unknown): void {
    this.#failure = { error }
    this.#wake()
  }

  /** The next batch; null when there will be none. */
  async next(): Promise<Batch | null> {
    if (!this.#batch) this.stream.resume()
    while (!this.#batch && !this.closed && !this.#failure) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    if (this.#failure) throw this.#failure.error
    const batch = this.closed ? null : this.#batch
    this.#batch = null
    return batch
  }
}
