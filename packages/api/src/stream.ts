import { type Event, type Scope, stopping, unauthenticated } from '@collab-spaces/domain'
import { type TrackedEnvelope, tracked } from '@trpc/server'
import type { Caller } from './auth.js'
import { asTrpcError, refusalOf } from './fault.js'
import type { Batch } from './hub.js'
import type { Services } from './services.js'

/** The place in a space's log where a stream begins. */
export interface StreamStart {
  readonly scope: Scope
  readonly spaceId: string
  /** The position after which it begins; 0 is the beginning. */
  readonly after: number
}

/**
 * The live events of a space for one caller: replay from the log, then the tail, until the caller leaves or its
 * credential ends. The REST door takes whole batches, framed once for all; the tRPC door takes event by event.
 */
export class EventStream implements AsyncIterable<TrackedEnvelope<Event>> {
  readonly #credentialEnded = new AbortController()
  /** Fires when the stream has to end: the caller is gone, its credential has ended, or the service is closing. */
  readonly ended: AbortSignal

  constructor(
    private readonly services: Pick<Services, 'hub' | 'guard'>,
    private readonly caller: Caller,
    private readonly start: StreamStart,
    /** Fires when the caller is gone. */
    private readonly gone: AbortSignal = new AbortController().signal,
  ) {
    this.ended = AbortSignal.any([gone, this.#credentialEnded.signal, services.hub.closed])
  }

  async *batches(): AsyncGenerator<Batch> {
    const { hub, guard } = this.services
    const { scope, spaceId, after } = this.start
    const leave = guard.watch(this.caller, this.#credentialEnded)
    try {
      yield* hub.read(scope, spaceId, after, this.ended)
    } finally {
      leave()
    }
  }

  /** Each event with its id as tRPC's tracking id, so that a client resumes by itself. */
  async *[Symbol.asyncIterator](): AsyncGenerator<TrackedEnvelope<Event>> {
    try {
      for await (const { entries } of this.batches()) {
        for (const { eventId, wire } of entries) {
          if (this.ended.aborted) break
          yield tracked(eventId, JSON.parse(wire) as Event)
        }
      }
    } catch (error) {
      const refused = refusalOf(error)
      throw refused ? asTrpcError(refused) : error
    }
    // An end without a word would tell the client that there is no more to come, and that it need not come back.
    if (!this.gone.aborted) throw asTrpcError(this.#credentialEnded.signal.aborted ? unauthenticated() : stopping())
  }
}
