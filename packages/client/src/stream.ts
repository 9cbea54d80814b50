import { connect, type Fetch } from './connection.js'
import { SpacesError } from './error.js'
import type { Event } from './router.js'
import { delayAfter, pause, type Timing } from './timing.js'

/** A server that asks for more patience than this is asked again anyway. */
const LONGEST_PATIENCE_MS = 5 * 60_000

/** Where a stream begins, when it ends, and who hears of its connections. */
export interface StreamOptions {
  /** The id of an event: only what comes after it. Without one, the stream begins with the history. */
  readonly since?: string | undefined
  /** Ends the stream. */
  readonly signal?: AbortSignal | undefined
  /** Called whenever a connection stands, the first one too. */
  readonly onConnect?: (() => void) | undefined
  /** Called before each wait for another attempt, with what went wrong; null when the connection was just closed. */
  readonly onReconnect?: ((error: SpacesError | null, delayMs: number) => void) | undefined
}

/** Where a stream comes from. */
export interface StreamSource {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: Fetch
}

/** What became of a connection. */
interface Ending {
  /** Null when the connection was just closed. */
  readonly failure: SpacesError | null
  readonly hasWorked: boolean
}

/**
 * The events of a space, first the history and then live, each once and in the order of the space. It outlives any
 * number of connections: after a drop it goes on behind its cursor, for as long as it takes. Nothing is read before
 * it is asked for, so a slow loop costs no memory.
 *
 * The loop ends when the signal fires or the credential ends; `endedBy` tells which. It throws a `SpacesError` when
 * the server refuses the stream: no valid credential to begin with (401), no such space or no such event (404).
 *
 * One loop at a time. Another one, after the first was left, goes on behind the cursor.
 */
export class EventStream implements AsyncIterable<Event> {
  #cursor: string | null
  #endedBy: 'aborted' | 'credential' | null = null
  #refusal: SpacesError | null = null
  #wasAccepted = false
  #isRead = false

  private constructor(
    private readonly source: StreamSource,
    private readonly options: StreamOptions,
    private readonly timing: Timing,
  ) {
    this.#cursor = options.since ?? null
  }

  /** @internal `client.stream` makes them. */
  static from(source: StreamSource, options: StreamOptions, timing: Timing): EventStream {
    return new EventStream(source, options, timing)
  }

  /** The id of the event that was handed out last, before that `since`: where another stream would go on. */
  get cursor(): string | null {
    return this.#cursor
  }

  /** Why the loop has ended by itself; null as long as it has not. */
  get endedBy(): 'aborted' | 'credential' | null {
    return this.#endedBy
  }

  /** What the server said when the credential had ended: 401, or 403 for a suspended tenant. */
  get refusal(): SpacesError | null {
    return this.#refusal
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Event, undefined> {
    const over = new AbortController()
    const events = this.#read(over)
    return {
      next: () => events.next(),
      // A generator that waits hears of its end only when something has come, which may take for ever.
      return: () => {
        over.abort()
        return events.return(undefined)
      },
      [Symbol.asyncIterator]() {
        return this
      },
    }
  }

  async *#read(over: AbortController): AsyncGenerator<Event, undefined> {
    if (this.#isRead) throw new Error('This stream is being read already: one loop at a time')
    this.#isRead = true
    this.#endedBy = null
    this.#refusal = null
    const { signal } = this.options
    const end = () => over.abort()
    signal?.addEventListener('abort', end)
    if (signal?.aborted) end()
    try {
      yield* this.#connections(over.signal)
      if (signal?.aborted) this.#endedBy = 'aborted'
    } finally {
      signal?.removeEventListener('abort', end)
      this.#isRead = false
      over.abort()
    }
  }

  /** One connection after the other. */
  async *#connections(over: AbortSignal): AsyncGenerator<Event, undefined> {
    let failures = 0
    while (!over.aborted) {
      const { failure, hasWorked } = yield* this.#connection(over)
      if (over.aborted || (failure && this.#isEndedBy(failure))) return
      failures = hasWorked ? 0 : failures + 1
      const delay = this.#delay(failures, failure)
      this.options.onReconnect?.(failure, delay)
      await pause(delay, over)
    }
  }

  /** The events of one connection, and then its ending. */
  async *#connection(over: AbortSignal): AsyncGenerator<Event, Ending> {
    let hadEvents = false
    let connectedAt = Number.POSITIVE_INFINITY
    // One that is closed as soon as it stands would otherwise be opened again and again without a pause.
    const hasWorked = () => hadEvents || performance.now() - connectedAt >= this.timing.firstDelay
    const onConnect = () => {
      connectedAt = performance.now()
      this.#wasAccepted = true
      this.options.onConnect?.()
    }
    try {
      const { silence } = this.timing
      for await (const event of connect({ ...this.source, url: this.#url(), silence, over, onConnect })) {
        hadEvents = true
        this.#cursor = event.event_id
        yield event
        // What has arrived already is not handed out any more.
        if (over.aborted) break
      }
      return { failure: null, hasWorked: hasWorked() }
    } catch (error) {
      if (!(error instanceof SpacesError)) throw error
      return { failure: error, hasWorked: hasWorked() }
    }
  }

  /** The cursor in the query, where any text may stand: as a header, one that no event has could not be sent. */
  #url(): string {
    return this.#cursor === null
      ? this.source.url
      : `${this.source.url}?${new URLSearchParams({ since: this.#cursor })}`
  }

  /** Whether this is the end of the credential. Throws what no other attempt would change. */
  #isEndedBy(failure: SpacesError): boolean {
    const { status, mayPass } = failure
    if (mayPass) return false
    if (!this.#wasAccepted) throw failure
    if (status === 401 || status === 403) {
      this.#endedBy = 'credential'
      this.#refusal = failure
      return true
    }
    if (status !== null && status >= 400) throw failure
    return false
  }

  /** Soon after a connection that worked; but all who lost theirs at the same moment shall not come back at once. */
  #delay(failures: number, failure: SpacesError | null): number {
    const { timing } = this
    const delay = failures === 0 ? Math.random() * timing.reconnect : delayAfter(failures, timing)
    return Math.max(delay, Math.min(failure?.retryAfterMs ?? 0, LONGEST_PATIENCE_MS))
  }
}
