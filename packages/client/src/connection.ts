import { createParser } from 'eventsource-parser'
import { notOurs, SpacesError } from './error.js'
import type { Event } from './router.js'

/** What the client needs of `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface ConnectionOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: Fetch
  /** How many milliseconds without a word make it a dead one. */
  readonly silence: number
  /** Closes it. */
  readonly over: AbortSignal
  /** Called once it stands. */
  readonly onConnect: () => void
}

/** Far above the largest event: a line that never ends comes from no server of ours. */
const LARGEST_EVENT = 32 * 1024 * 1024

/**
 * The events of one connection to a stream, until the server closes it. Throws a `SpacesError` when it is refused,
 * breaks, or has been silent for too long.
 */
export async function* connect({ url, fetch, over, onConnect, ...options }: ConnectionOptions): AsyncGenerator<Event> {
  const connection = new AbortController()
  const close = () => connection.abort()
  over.addEventListener('abort', close)
  try {
    const inTime = patience(options.silence, connection)
    const headers = { ...options.headers, Accept: 'text/event-stream' }
    const response = await inTime(() => fetch(url, { headers, signal: connection.signal }))
    if (!response.ok) throw SpacesError.refused(response, await inTime(() => response.text()))
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    if (!isStream || !response.body) throw notOurs(response)
    onConnect()
    const reader = response.body.getReader()
    yield* eventsIn(() => inTime(() => reader.read()))
  } finally {
    over.removeEventListener('abort', close)
    close()
  }
}

/**
 * Waits for something, but not for ever: then it cuts the connection. Only waiting counts, so a reader that takes its
 * time does not make the connection a silent one.
 */
function patience(ms: number, connection: AbortController) {
  return async <T>(ask: () => Promise<T>): Promise<T> => {
    const timer = setTimeout(() => connection.abort(new Error(`nothing came for ${ms / 1_000} seconds`)), ms)
    try {
      return await ask()
    } catch (error) {
      throw SpacesError.unreachable(connection.signal.aborted ? connection.signal.reason : error)
    } finally {
      clearTimeout(timer)
    }
  }
}

/** The events in a stream of bytes. No more is read before those of the last piece are taken. */
async function* eventsIn(read: () => Promise<ReadableStreamReadResult<Uint8Array>>): AsyncGenerator<Event> {
  const arrived: Event[] = []
  const parser = createParser({
    maxBufferSize: LARGEST_EVENT,
    onEvent: ({ event, data }) => {
      if (event === 'context_event') arrived.push(JSON.parse(data))
    },
  })
  const decoder = new TextDecoder()
  for (;;) {
    const { done, value } = await read()
    if (done) return
    try {
      parser.feed(decoder.decode(value, { stream: true }))
    } catch (cause) {
      throw SpacesError.unreachable(cause)
    }
    yield* arrived.splice(0)
  }
}
