import { bearer, type Client, PATIENCE_MS } from '@collab-spaces/testing'
import { createParser } from 'eventsource-parser'
import { expect } from 'vitest'

export interface StreamedEvent {
  readonly event_id: string
  readonly text: string
  readonly timestamp: string
  readonly speaker_id: string
}

export interface StreamOptions {
  readonly headers?: Record<string, string>
  /** Added to the path, such as `?since=…`. */
  readonly query?: string
}

/** A reader of a space's live stream, which keeps all that it was sent. */
export class StreamReader {
  readonly events: StreamedEvent[] = []
  readonly comments: string[] = []
  /** The id of the last event. */
  cursor: string | undefined
  raw = ''
  /** Resolves when the stream is over, whoever ended it. */
  readonly ended: Promise<void>
  isOver = false
  readonly #leave: AbortController
  #look = () => {}

  /** Opens the stream of the space at this path. */
  static async open(client: Client, space: string, { headers, query = '' }: StreamOptions = {}): Promise<StreamReader> {
    const leave = new AbortController()
    const response = await fetch(`${client.url}${space}/events/stream${query}`, {
      headers: { ...bearer(client.key), ...headers },
      signal: leave.signal,
    })
    expect(`${response.status} ${response.status === 200 ? '' : await response.text()}`).toBe('200 ')
    return new StreamReader(response, leave)
  }

  private constructor(
    readonly response: Response,
    leave: AbortController,
  ) {
    this.#leave = leave
    this.ended = this.#read(response)
  }

  async #read(response: Response): Promise<void> {
    const parser = createParser({
      onEvent: ({ event, data, id }) => {
        expect(event).toBe('context_event')
        const value = JSON.parse(data)
        expect(id).toBe(value.event_id)
        this.events.push(value)
        this.cursor = id
      },
      onComment: (comment) => this.comments.push(comment),
    })
    const decoder = new TextDecoder()
    try {
      for await (const chunk of response.body as ReadableStream<Uint8Array>) {
        const text = decoder.decode(chunk, { stream: true })
        if (this.raw.length < 10_000) this.raw += text
        parser.feed(text)
        this.#look()
      }
    } catch {
      // Cut off, or left: over is over.
    }
    this.isOver = true
    this.#look()
  }

  get texts(): string[] {
    return this.events.map(({ text }) => text)
  }

  get ids(): string[] {
    return this.events.map(({ event_id }) => event_id)
  }

  /** Resolves when this is so; looked at whenever something comes. */
  async until(isSo: (reader: StreamReader) => boolean, within = PATIENCE_MS): Promise<this> {
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(
        () => reject(new Error(`Not within ${within} ms; ${this.events.length} events came`)),
        within,
      )
      this.#look = () => {
        const done = isSo(this)
        if (!done && !this.isOver) return
        clearTimeout(late)
        this.#look = () => {}
        if (done) resolve()
        else reject(new Error(`The stream ended after ${this.events.length} events`))
      }
      this.#look()
    })
    return this
  }

  /** Resolves when so many events have come. */
  async read(count: number, within?: number): Promise<this> {
    return this.until(({ events }) => events.length >= count, within)
  }

  async close(): Promise<void> {
    this.#leave.abort()
    await this.ended
  }
}
