import { type Event, type Scope, stopping, unauthenticated } from '@collab-spaces/domain'
import { type TrackedEnvelope, tracked } from '@trpc/server'
import type { Caller } from '../procedure/caller.js'
import { asTrpcError, refusalOf } from '../procedure/fault.js'
import type { Services } from '../services.js'
import type { Batch, Reader, Reading } from './hub.js'
import type { Guarded } from './revocation-watcher.js'

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
export class EventStream implements Guarded, AsyncIterable<TrackedEnvelope<Event>> {
  #reader: Reader | null = null
  #reading: Reading | null = null
  #revoked = false

  constructor(
    private readonly services: Pick<Services, 'hub' | 'guard'>,
    readonly caller: Caller,
    private readonly start: StreamStart,
    /** For whoever iterates over it: fires when the caller is gone. */
    private readonly gone: AbortSignal | undefined = undefined,
  ) {}

  /** Begins to give the reader the events. Its `end` is also called when the credential ends. */
  open(reader: Reader): void {
    const { hub, guard } = this.services
    const { scope, spaceId, after } = this.start
    this.#reader = reader
    guard.watch(this)
    this.#reading = hub.read(scope, spaceId, after, reader)
  }

  /** The reader can take more. */
  goOn(): void {
    this.#reading?.goOn()
  }

  /** The reader is gone, or has been told of the end. */
  close(): void {
    this.#reading?.stop()
    this.services.guard.leave(this)
  }

  revoke(): void {
    this.#revoked = true
    this.close()
    this.#reader?.end()
  }

  /** Each event with its id as tRPC's tracking id, so that a client resumes by itself. */
  async *[Symbol.asyncIterator](): AsyncGenerator<TrackedEnvelope<Event>> {
    const turns = new Turns(this)
    this.gone?.addEventListener('abort', () => turns.end(), { once: true })
    this.open(turns)
    try {
      for (let batch = await turns.next(); batch; batch = await turns.next()) {
        for (const { eventId, wire } of batch.entries) {
          if (turns.over) break
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

/** Batches for a loop that asks for one after the other. */
class Turns implements Reader {
  over = false
  #batch: Batch | null = null
  #failure: { readonly error: unknown } | null = null
  #wake = () => {}

  constructor(private readonly stream: EventStream) {}

  take(batch: Batch): boolean {
    this.#batch = batch
    this.#wake()
    return false
  }

  end(): void {
    this.over = true
    this.#wake()
  }

  fail(error: unknown): void {
    this.#failure = { error }
    this.#wake()
  }

  /** The next batch; null when there will be none. */
  async next(): Promise<Batch | null> {
    if (!this.#batch) this.stream.goOn()
    while (!this.#batch && !this.over && !this.#failure) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    if (this.#failure) throw this.#failure.error
    const batch = this.over ? null : this.#batch
    this.#batch = null
    return batch
  }
}
