import { createParser } from 'eventsource-parser'
import { notOurs, refused, unreachable } from './error.js'
import type { Event } from './router.js'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface StreamRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: Fetch
}

/** Far above the largest event: a line that never ends comes from no server of ours. */
const LARGEST_EVENT = 32 * 1024 * 1024

/**
 * The events of one connection, until the server closes it or `over` fires. A connection that breaks, is refused, or
 * on which nothing comes for `silence` milliseconds throws a `SpacesError`.
 */
export async function* open(
  { url, headers, fetch }: StreamRequest,
  silence: number,
  over: AbortSignal,
  onConnect: () => void,
): AsyncGenerator<Event, undefined> {
  const connection = new AbortController()
  const close = () => connection.abort()
  over.addEventListener('abort', close)
  try {
    const response = await answered(() =>
      fetch(url, {
        headers: { ...headers, Accept: 'text/event-stream' },
        signal: connection.signal,
      }),
    )
    if (!response.ok) throw refused(response, await answered(() => response.text()))
    if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream'))
      throw notOurs(response)
    onConnect()
    yield* eventsOf(response.body.getReader())
  } finally {
    over.removeEventListener('abort', close)
    close()
  }

  async function* eventsOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Event, undefined> {
    const arrived: Event[] = []
    const parser = createParser({
      maxBufferSize: LARGEST_EVENT,
      onEvent: ({ event, data }) => {
        if (event === 'context_event') arrived.push(JSON.parse(data))
      },
    })
    const decoder = new TextDecoder()
    for (;;) {
      const { done, value } = await answered(() => reader.read())
      if (done) return
      try {
        parser.feed(decoder.decode(value, { stream: true }))
      } catch (cause) {
        throw unreachable(cause)
      }
      yield* arrived.splice(0)
    }
  }

  /** What comes in time. Only waiting counts: a reader that takes its time does not make the connection silent. */
  async function answered<T>(ask: () => Promise<T>): Promise<T> {
    const timer = setTimeout(() => connection.abort(new Error(`nothing came for ${silence} ms`)), silence)
    try {
      return await ask()
    } catch (error) {
      throw unreachable(connection.signal.aborted ? connection.signal.reason : error)
    } finally {
      clearTimeout(timer)
    }
  }
}
