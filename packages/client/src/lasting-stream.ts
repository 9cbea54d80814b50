import { abortWith } from './abort.js'
import { connect, type Message } from './connection.js'
import { SpacesError } from './error.js'
import type { Source } from './response.js'
import { delayAfter, pause, type Timing } from './timing.js'

/** The longest wait that a server can ask for. */
const MAX_RETRY_AFTER_MS = 5 * 60_000

/** When a stream ends, and who is told about its connections. */
export interface LastingOptions {
  /** Ends the stream. */
  readonly signal?: AbortSignal | undefined
  /** Called whenever a connection stands, including the first. */
  readonly onConnect?: (() => void) | undefined
  /** Called before each wait for another connection, with what went wrong; null when the server closed the last one. */
  readonly onReconnect?: ((error: SpacesError | null, delayMs: number) => void) | undefined
}

/** How a connection ended. */
interface Ending {
  /** Null when the server closed it, or it was given up for another one. */
  readonly failure: SpacesError | null
  readonly hasWorked: boolean
}

/** The messages of connections that are renewed whenever they break. Nothing is read before it is asked for. */
export abstract class LastingStream<Item> implements AsyncIterable<Item> {
  #endedBy: 'aborted' | 'credential' | null = null
  #refusal: SpacesError | null = null
  #wasAccepted = false
  #isRead = false
  /** The controller of the connection that stands; aborted when another one is wanted in its place. */
  #connection = new AbortController()

  protected constructor(
    private readonly source: Source,
    private readonly lasting: LastingOptions,
    private readonly timing: Timing,
  ) {}

  /** The request of the next connection. */
  protected abstract query(): URLSearchParams

  /** Takes what has come; undefined for what is not for the reader. */
  protected abstract take(message: Message): Item | undefined

  /** Why the loop ended by itself; null while it has not. */
  get endedBy(): 'aborted' | 'credential' | null {
    return this.#endedBy
  }

  /** The server's answer when the credential had ended: 401, or 403 for a suspended tenant. */
  get refusal(): SpacesError | null {
    return this.#refusal
  }

  /** Opens another connection in the place of the one that stands. */
  protected renew(): void {
    this.#connection.abort()
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Item, undefined> {
    const over = new AbortController()
    const items = this.#read(over)
    return {
      next: () => items.next(),
      // A waiting generator notices its end only when the next message arrives, which may take for ever.
      return: () => {
        over.abort()
        return items.return(undefined)
      },
      [Symbol.asyncIterator]() {
        return this
      },
    }
  }

  async *#read(over: AbortController): AsyncGenerator<Item, undefined> {
    if (this.#isRead) throw new Error('This stream is being read already: one loop at a time')
    this.#isRead = true
    this.#endedBy = null
    this.#refusal = null
    const { signal } = this.lasting
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

  /** The messages of one connection after the other. */
  async *#connections(over: AbortSignal): AsyncGenerator<Item, undefined> {
    let failures = 0
    let moves: string[] = []
    while (!over.aborted) {
      const { failure, hasWorked } = yield* this.#connectionOf(over)
      if (hasWorked) moves = []
      if (this.#connection.signal.aborted) continue
      if (!over.aborted && this.source.home.follows(failure, moves)) continue
      if (over.aborted || (failure && this.#isEndedBy(failure))) return
      failures = hasWorked ? 0 : failures + 1
      const delay = this.#delay(failures, failure)
      this.lasting.onReconnect?.(failure, delay)
      await pause(delay, over)
    }
  }

  /** The messages of one connection, and then its ending. */
  async *#connectionOf(over: AbortSignal): AsyncGenerator<Item, Ending> {
    const connection = new AbortController()
    this.#connection = connection
    const unlink = abortWith(connection, over)
    let hadItems = false
    let connectedAt = Number.POSITIVE_INFINITY
    // Otherwise a connection that is closed as soon as it stands would be opened again and again without a pause.
    const hasWorked = () => hadItems || performance.now() - connectedAt >= this.timing.firstDelay
    const onConnect = () => {
      connectedAt = performance.now()
      this.#wasAccepted = true
      this.lasting.onConnect?.()
    }
    try {
      const { silence } = this.timing
      const source = { ...this.source, url: this.#url() }
      for await (const message of connect(source, { silence, signal: connection.signal, onConnect })) {
        const item = this.take(message)
        if (item === undefined) continue
        hadItems = true
        yield item
        // Items that have arrived in the meantime are dropped.
        if (connection.signal.aborted) break
      }
      return { failure: null, hasWorked: hasWorked() }
    } catch (error) {
      if (!(error instanceof SpacesError)) throw error
      return { failure: error, hasWorked: hasWorked() }
    } finally {
      unlink()
    }
  }

  /** Places go into the query, which carries any text; a header would not. */
  #url(): string {
    return [this.source.url, this.query()].filter(String).join('?')
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
