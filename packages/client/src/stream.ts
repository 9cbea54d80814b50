import { abortWith } from './abort.js'
import { connect } from './connection.js'
import { SpacesError } from './error.js'
import type { Source } from './response.js'
import type { Event } from './router.js'
import { delayAfter, pause, type Timing } from './timing.js'

/** The longest wait that a server can ask for. */
const MAX_RETRY_AFTER_MS = 5 * 60_000

/** Where a stream begins, when it ends, and who is told about its connections. */
export interface StreamOptions {
  /** The id of an event: only what comes after it. Without one, the stream begins with the history. */
  readonly since?: string | undefined
  /** Ends the stream. */
  readonly signal?: AbortSignal | undefined
  /**
   * Called when something was done about a decision, or about the space itself (null): `space.acts` has it then. What is
   * done while there is no connection is not told.
   */
  readonly onAct?: ((decisionId: string | null) => void) | undefined
  /** Called whenever a connection stands, including the first. */
  readonly onConnect?: (() => void) | undefined
  /** Called before each wait for another connection, with what went wrong; null when the server closed the last one. */
  readonly onReconnect?: ((error: SpacesError | null, delayMs: number) => void) | undefined
}

/** How a connection ended. */
interface Ending {
  /** Null when the server closed it. */
  readonly failure: SpacesError | null
  readonly hasWorked: boolean
}

/**
 * The events of a space, first the history and then live, each once and in the order of the space. The stream outlives
 * its connections: when one breaks, it continues after its cursor, however long that takes. Events are read only when
 * they are asked for, so a slow loop costs no memory.
 *
 * The loop ends when the signal fires or the credential ends; `endedBy` tells which. It throws a `SpacesError` when
 * the server refuses the stream: no valid credential to begin with (401), no such space or no such event (404).
 *
 * One loop at a time. After `break`, the next loop continues after the cursor.
 */
export class SpaceStream implements AsyncIterable<Event> {
  #cursor: string | null
  #endedBy: 'aborted' | 'credential' | null = null
  #refusal: SpacesError | null = null
  #wasAccepted = false
  #isRead = false

  private constructor(
    private readonly source: Source,
    private readonly options: StreamOptions,
    private readonly timing: Timing,
  ) {
    this.#cursor = options.since ?? null
  }

  /** @internal `client.stream` makes them. */
  static from(source: Source, options: StreamOptions, timing: Timing): SpaceStream {
    return new SpaceStream(source, options, timing)
  }

  /** The id of the event that was returned last, at first `since`: where another stream would continue. */
  get cursor(): string | null {
    return this.#cursor
  }

  /** Why the loop ended by itself; null while it has not. */
  get endedBy(): 'aborted' | 'credential' | null {
    return this.#endedBy
  }

  /** The server's answer when the credential had ended: 401, or 403 for a suspended tenant. */
  get refusal(): SpacesError | null {
    return this.#refusal
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Event, undefined> {
    const over = new AbortController()
    const events = this.#read(over)
    return {
      next: () => events.next(),
      // A waiting generator notices its end only when the next event arrives, which may take for ever.
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
    const unlink = abortWith(over, signal)
    try {
      yield* this.#connections(over.signal)
      if (signal?.aborted) this.#endedBy = 'aborted'
    } finally {
      unlink()
      this.#isRead = false
      over.abort()
    }
  }

  /** The events of one connection after the other. */
  async *#connections(over: AbortSignal): AsyncGenerator<Event, undefined> {
    let failures = 0
    let moves: string[] = []
    while (!over.aborted) {
      const { failure, hasWorked } = yield* this.#connection(over)
      if (hasWorked) moves = []
      if (!over.aborted && this.source.home.follows(failure, moves)) continue
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
    // Otherwise a connection that is closed as soon as it stands would be opened again and again without a pause.
    const hasWorked = () => hadEvents || performance.now() - connectedAt >= this.timing.firstDelay
    const onConnect = () => {
      connectedAt = performance.now()
      this.#wasAccepted = true
      this.options.onConnect?.()
    }
    try {
      const { silence } = this.timing
      const { onAct } = this.options
      const source = { ...this.source, url: this.#url() }
      for await (const event of connect(source, { silence, signal: over, onConnect, onAct })) {
        hadEvents = true
        this.#cursor = event.event_id
        yield event
        // Events that have arrived in the meantime are dropped.
        if (over.aborted) break
      }
      return { failure: null, hasWorked: hasWorked() }
    } catch (error) {
      if (!(error instanceof SpacesError)) throw error
      return { failure: error, hasWorked: hasWorked() }
    }
  }

  /** The cursor goes into the query, which carries any text; a header would not. */
  #url(): string {
    const asked = new URLSearchParams({
      ...(this.#cursor !== null && { since: this.#cursor }),
      ...(this.options.onAct && { acts: 'true' }),
    })
    return [this.source.url, asked].filter(String).join('?')
  }

  /** Whether the credential has ended. Throws an error that no other attempt would change. */
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

  /** Short after a connection that worked, but random: all clients may have lost theirs at the same moment. */
  #delay(failures: number, failure: SpacesError | null): number {
    const { timing } = this
    const delay = failures === 0 ? Math.random() * timing.reconnect : delayAfter(failures, timing)
    return Math.max(delay, Math.min(failure?.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS))
  }
}
