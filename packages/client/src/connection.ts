import { createParser } from 'eventsource-parser'
import { abortWith } from './abort.js'
import { notOurs, SpacesError } from './error.js'
import { open, type Source } from './response.js'

interface ConnectOptions {
  /** How many milliseconds without data make a connection a dead one. */
  readonly silence: number
  /** Closes the connection. */
  readonly signal: AbortSignal
  /** Called once the connection stands. */
  readonly onConnect: () => void
}

/** A message of Server-Sent Events, with the value of its JSON. */
export interface Message {
  readonly name: string | undefined
  readonly data: unknown
}

/** Far above the largest event: a line that never ends does not come from our server. */
const MAX_EVENT_SIZE = 32 * 1024 * 1024

/**
 * The messages of one connection to a stream, until the server closes it. Throws a `SpacesError` when the connection is
 * refused, breaks, or falls silent.
 */
export async function* connect(
  source: Source,
  { silence, signal, onConnect }: ConnectOptions,
): AsyncGenerator<Message> {
  const connection = new AbortController()
  const unlink = abortWith(connection, signal)
  try {
    const response = await open(source, { accept: 'text/event-stream', silence, connection })
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    if (!isStream || !response.body) throw notOurs(response)
    onConnect()
    yield* messagesIn(response.body.getReader())
  } finally {
    unlink()
    connection.abort()
  }
}

/** The messages in a stream of bytes. Nothing more is read before those of the last piece are taken. */
async function* messagesIn(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Message> {
  const arrived: Message[] = []
  const parser = createParser({
    maxBufferSize: MAX_EVENT_SIZE,
    onEvent: ({ event, data }) => arrived.push({ name: event, data: JSON.parse(data) }),
  })
  const decoder = new TextDecoder()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    try {
      parser.feed(decoder.decode(value, { stream: true }))
    } catch (cause) {
      throw SpacesError.unreachable(cause)
    }
    yield* arrived.splice(0)
  }
}
