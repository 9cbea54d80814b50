import { type Client, type Event, type RouterInputs, SpacesError, type Thread } from '@collab-spaces/client'
import { pagesAfter } from '../event/history.js'
import { EXIT, Failure } from '../failure.js'
import { counted } from '../terminal/count.js'
import { originOf, sourceIn } from './origin.js'

type Draft = RouterInputs['event']['appendBatch']['events'][number]

/** An event on its way, with the line that it came from. */
interface Waiting {
  readonly line: number
  readonly sourceId: string
  readonly draft: Draft
}

/** As many events as the server takes in one call. */
const MOST_EVENTS = 100
/** Below the 4 MiB that the server takes in one call, with room for what is around the events. */
const MOST_BYTES = 3 * 1024 * 1024

/**
 * Adds exported events to a space, in their order. Each has a key made of the id that it had, so what is there
 * already is not added again, and the answer to a repetition tells under which id it is there.
 */
export class Importer {
  #waiting: Waiting[] = []
  #bytes = 0
  /** From ids of events and threads in the export to their ids here. */
  readonly #ids = new Map<string, string>()
  #knowsEarlierImports = false
  #isElsewhere = false
  #events = 0
  #threads = 0

  constructor(
    private readonly client: Client,
    private readonly spaceId: string,
    private readonly signal: AbortSignal,
  ) {}

  /** How many events and threads of the import are in the space by now. */
  get counts() {
    return { space_id: this.spaceId, events: this.#events, threads: this.#threads }
  }

  async addEvent(line: number, event: Event): Promise<void> {
    await this.#requireElsewhere(line, event)
    if (this.#isWaiting(event.event_id) || this.#isWaiting(event.parent_event_id)) await this.flush()
    const draft = await this.#draftOf(event)
    const bytes = Buffer.byteLength(JSON.stringify(draft))
    if (this.#waiting.length === MOST_EVENTS || this.#bytes + bytes > MOST_BYTES) await this.flush()
    this.#waiting.push({ line, sourceId: event.event_id, draft })
    this.#bytes += bytes
  }

  /** A thread on an event that is not here cannot be started: what was said in it is then said outside. */
  async addThread(line: number, { thread_id, parent_event_id, subject }: Thread): Promise<void> {
    if (this.#isWaiting(parent_event_id)) await this.flush()
    const anchor = await this.#idHere(parent_event_id)
    if (anchor === null) return
    const input = { space_id: this.spaceId, parent_event_id: anchor, subject }
    const { signal } = this
    const thread = await this.client.thread.start.mutate(input, { signal }).catch((error: unknown) => {
      throw this.#refused(line, error)
    })
    this.#ids.set(thread_id, thread.thread_id)
    this.#threads += 1
  }

  /** Sends what waits. */
  async flush(): Promise<void> {
    const batch = this.#waiting
    this.#waiting = []
    this.#bytes = 0
    await this.#send(batch)
  }

  /** All or none is written; so when one is refused, those before it are sent again without it. */
  async #send(batch: readonly Waiting[]): Promise<void> {
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

  /** An export is not for the space that it comes from: all of it would be said there again. */
  async #requireElsewhere(line: number, { event_id, space_id }: Event): Promise<void> {
    if (this.#isElsewhere || space_id !== this.spaceId) return
    try {
      await this.client.event.get.query({ space_id, event_id }, { signal: this.signal })
    } catch (error) {
      if (!(error instanceof SpacesError) || error.status !== 404) throw error
      this.#isElsewhere = true
      return
    }
    throw this.badLine(line, `this event is in ${space_id} under the same id: it comes from this very space`)
  }

  #isWaiting(eventId: string | null): boolean {
    return eventId !== null && this.#waiting.some(({ sourceId }) => sourceId === eventId)
  }

  async #draftOf(event: Event): Promise<Draft> {
    return {
      speaker_id: event.speaker_id,
      speaker_name: event.speaker_name,
      speaker_type: event.speaker_type,
      text: event.text,
      parent_event_id: event.parent_event_id && (await this.#idHere(event.parent_event_id)),
      thread_id: event.thread_id && (this.#ids.get(event.thread_id) ?? null),
      references: event.references,
      metadata: originOf(event),
      idempotency_key: `import:${event.event_id}`,
    }
  }

  /** An event may have come with an earlier piece of the same history; null when it has not come at all. */
  async #idHere(sourceId: string): Promise<string | null> {
    if (!this.#ids.has(sourceId) && !this.#knowsEarlierImports) await this.#learnEarlierImports()
    return this.#ids.get(sourceId) ?? null
  }

  async #learnEarlierImports(): Promise<void> {
    this.#knowsEarlierImports = true
    for await (const page of pagesAfter(this.client, this.spaceId, undefined, this.signal)) {
      for (const event of page) {
        const sourceId = sourceIn(event)
        if (sourceId !== null && !this.#ids.has(sourceId)) this.#ids.set(sourceId, event.event_id)
      }
    }
  }

  /** The refusal of a line, as it is told; anything else as it is. */
  #refused(line: number, error: unknown): unknown {
    const isRefusal = error instanceof SpacesError && error.status !== null && !error.mayPass && error.status !== 401
    return isRefusal ? this.badLine(line, error.detail.replace(REFUSED, ''), error.status === 409) : error
  }

  /** What is wrong with a line, and how far the import has come. */
  badLine(line: number, problem: string, isConflict = false): Failure {
    return new Failure(
      isConflict ? EXIT.conflict : EXIT.failed,
      `line ${line}: ${problem}`,
      `${this.spaceId} has what comes before it (${counted(this.#events, 'event')}). Mend the line and import all again: what is there is not added twice.`,
    )
  }
}

const REFUSED = /^events\.(\d+)[.:] ?/

/** Which event of a batch is refused; null when it is not about one of them. */
function refusedIn(error: unknown): number | null {
  const [, index] = (error instanceof SpacesError && REFUSED.exec(error.detail)) || []
  return index === undefined ? null : Number(index)
}
