import { type Client, type Event, revisedId, SpacesError, type Thread } from '@collab-spaces/client'
import { EXIT, Failure } from '../failure.js'
import { counted } from '../terminal/prose.js'
import { type Draft, draftOf, MAX_BYTES, MAX_EVENTS, REFUSED, refusedIn } from './draft.js'
import type { ImportedEvent } from './export-check.js'

/** An event to send, with the line it came from. */
interface PendingEvent {
  readonly line: number
  readonly sourceId: string
  /** The event that it corrects or retracts. */
  readonly revised: string | null
  readonly draft: Draft
}

/** Adds exported events to a space, in their order, except for those that were imported before. */
export class Importer {
  #waiting: PendingEvent[] = []
  #bytes = 0
  /** From the IDs of events and threads in the export to their IDs here. */
  readonly #ids = new Map<string, string>()
  #events = 0
  #threads = 0

  constructor(
    private readonly client: Client,
    private readonly spaceId: string,
    private readonly imported: ReadonlyMap<string, ImportedEvent>,
    private readonly signal: AbortSignal,
  ) {}

  /** How many events and threads of the export are in the space now. */
  get counts() {
    return { space_id: this.spaceId, events: this.#events, threads: this.#threads }
  }

  async addEvent(line: number, event: Event): Promise<void> {
    if (this.imported.has(event.event_id)) {
      this.#events += 1
      return
    }
    const revised = revisedId(event) ?? null
    if ([event.event_id, event.parent_event_id, revised].some((id) => this.#isWaiting(id))) await this.flush()
    const draft = this.#draftOf(event)
    const bytes = Buffer.byteLength(JSON.stringify(draft))
    if (this.#waiting.length === MAX_EVENTS || this.#bytes + bytes > MAX_BYTES) await this.flush()
    this.#waiting.push({ line, sourceId: event.event_id, revised, draft })
    this.#bytes += bytes
  }

  /** Starts a thread, unless its event is not here, or it is about a decision: then its events go outside of it. */
  async addThread(line: number, { thread_id, parent_event_id, subject }: Thread): Promise<void> {
    if (parent_event_id === null) return
    if (this.#isWaiting(parent_event_id)) await this.flush()
    const anchor = this.#idHere(parent_event_id)
    if (anchor === null) return
    const input = { space_id: this.spaceId, parent_event_id: anchor, subject }
    const { signal } = this
    const thread = await this.client.thread.start.mutate(input, { signal }).catch((error: unknown) => {
      throw this.#refused(line, error)
    })
    this.#ids.set(thread_id, thread.thread_id)
    this.#threads += 1
  }

  /** Sends the waiting events. */
  async flush(): Promise<void> {
    const batch = this.#waiting
    this.#waiting = []
    this.#bytes = 0
    await this.#send(batch)
  }

  /** A batch is written as a whole or not at all: when one event is refused, those before it are sent again. */
  async #send(batch: readonly PendingEvent[]): Promise<void> {
    if (batch.length === 0) return
    const events = batch.map(({ draft }) => draft)
    const { spaceId: space_id, signal } = this
    try {
      const stored = await this.client.event.appendBatch.mutate({ space_id, events }, { signal })
      for (const [index, { sourceId }] of batch.entries()) this.#ids.set(sourceId, (stored[index] as Event).event_id)
      this.#events += batch.length
    } catch (error) {
      const index = refusedIn(error)
      const refused = index === null ? undefined : batch[index]
      if (index === null || !refused) throw error
      await this.#send(batch.slice(0, index))
      throw this.#refused(refused.line, error)
    }
  }

  /** Whether an event, or a revision of it, is not sent yet. A batch revises an event once. */
  #isWaiting(eventId: string | null): boolean {
    if (eventId === null) return false
    return this.#waiting.some(({ sourceId, revised }) => sourceId === eventId || revised === eventId)
  }

  #draftOf(event: Event): Draft {
    return {
      ...draftOf(event),
      parent_event_id: event.parent_event_id && this.#idHere(event.parent_event_id),
      thread_id: event.thread_id && (this.#ids.get(event.thread_id) ?? null),
      corrects: event.corrects && this.#idHere(event.corrects),
      retracts: event.retracts && this.#idHere(event.retracts),
    }
  }

  /** The ID here of an event in the export; null if it was not imported. */
  #idHere(sourceId: string): string | null {
    return this.#ids.get(sourceId) ?? this.imported.get(sourceId)?.event_id ?? null
  }

  /**
   * The report when the server refuses a line that it accepted before: the space or a right has changed meanwhile. Any other
   * error is returned as it is.
   */
  #refused(line: number, error: unknown): unknown {
    const isRefusal = error instanceof SpacesError && error.status !== null && !error.mayPass && error.status !== 401
    if (!isRefusal) return error
    return new Failure(
      error.status === 409 ? EXIT.conflict : EXIT.failed,
      `line ${line}: ${error.detail.replace(REFUSED, '')}`,
      `${this.spaceId} has the lines before it (${counted(this.#events, 'event')}). Once that is solved, run the command again: nothing is added twice.`,
    )
  }
}
