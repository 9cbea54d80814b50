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

/** A message of Server-Sent Events, with its data parsed. */
export interface Message {
  readonly name: string
  readonly id: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every type
  readonly data: any
}

/** A reader of Server-Sent Events, which keeps all messages. */
export class MessageReader {
  readonly messages: Message[] = []
  readonly comments: string[] = []
  raw = ''
  /** Resolves when the stream has ended, at either side. */
  readonly ended: Promise<void>
  isOver = false
  #look = () => {}

  protected constructor(
    readonly response: Response,
    private readonly leave: AbortController,
  ) {
    this.ended = this.#read(response)
  }

  /** Opens the stream at this path, with its query. */
  static async openAt(client: Client, path: string): Promise<MessageReader> {
    return new MessageReader(...(await MessageReader.connect(client, path)))
  }

  protected static async connect(client: Client, path: string, headers?: Record<string, string>) {
    const leave = new AbortController()
    const response = await fetch(`${client.url}${path}`, {
      headers: { ...bearer(client.key), ...headers },
      signal: leave.signal,
    })
    expect(`${response.status} ${response.status === 200 ? '' : await response.text()}`).toBe('200 ')
    return [response, leave] as const
  }

  async #read(response: Response): Promise<void> {
    const parser = createParser({
      onEvent: ({ event = '', data, id }) => this.messages.push({ name: event, id, data: JSON.parse(data) }),
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
      // The connection was cut, or closed by the reader.
    }
    this.isOver = true
    this.#look()
  }

  /** Returns the data of all messages of a name. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  named(name: string): any[] {
    return this.messages.filter((message) => message.name === name).map(({ data }) => data)
  }

  /** Resolves when a condition holds, which is checked after each message. */
  async until(isSo: (reader: this) => boolean, within = PATIENCE_MS): Promise<this> {
    await new Promise<void>((resolve, reject) => {
      const summary = () => `${this.messages.length} messages came; the last: ${JSON.stringify(this.messages.at(-1))}`
      const late = setTimeout(() => reject(new Error(`Not within ${within} ms; ${summary()}`)), within)
      this.#look = () => {
        const done = isSo(this)
        if (!done && !this.isOver) return
        clearTimeout(late)
        this.#look = () => {}
        if (done) resolve()
        else reject(new Error(`The stream has ended; ${summary()}`))
      }
      this.#look()
    })
    return this
  }

  async close(): Promise<void> {
    this.leave.abort()
    await this.ended
  }
}

/** A reader of a space's live stream. */
export class StreamReader extends MessageReader {
  /** Opens the stream of the space at this path. */
  static async open(client: Client, space: string, { headers, query = '' }: StreamOptions = {}): Promise<StreamReader> {
    return new StreamReader(...(await MessageReader.connect(client, `${space}/events/stream${query}`, headers)))
  }

  get events(): StreamedEvent[] {
    return this.messages.map(({ name, id, data }) => {
      expect({ name, id }).toEqual({ name: 'context_event', id: data.event_id })
      return data
    })
  }

  /** The id of the last event. */
  get cursor(): string | undefined {
    return this.messages.at(-1)?.id
  }

  get texts(): string[] {
    return this.events.map(({ text }) => text)
  }

  get ids(): string[] {
    return this.events.map(({ event_id }) => event_id)
  }

  /** Resolves when this many events have arrived. */
  async read(count: number, within?: number): Promise<this> {
    return this.until(({ messages }) => messages.length >= count, within)
  }
}
