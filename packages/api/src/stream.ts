import type { Event, Scope } from '@collab-spaces/domain'
import { type TrackedEnvelope, tracked } from '@trpc/server'
import type { Caller } from './auth.js'
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
  constructor(
    private readonly services: Pick<Services, 'hub' | 'guard'>,
    private readonly caller: Caller,
    private readonly start: StreamStart,
    /** Fires when the caller is gone. */
    private readonly gone: AbortSignal = new AbortController().signal,
  ) {}

  async *batches(): AsyncGenerator<Batch> {
    const { hub, guard } = this.services
    const { scope, spaceId, after } = this.start
    const watch = guard.watch(this.caller)
    try {
      yield* hub.read(scope, spaceId, after, AbortSignal.any([this.gone, watch.signal]))
    } finally {
      watch.leave()
    }
  }

  /** Each event with its id as tRPC's tracking id, so that a client resumes by itself. */
  async *[Symbol.asyncIterator](): AsyncGenerator<TrackedEnvelope<Event>> {
    for await (const { entries } of this.batches()) {
      for (const { eventId, wire } of entries) yield tracked(eventId, JSON.parse(wire) as Event)
    }
  }
}
