import { createParser } from 'eventsource-parser'
import { abortWith } from './abort.js'
import { notOurs, SpacesError } from './error.js'
import { open, type Source } from './response.js'
import type { Event } from './router.js'

interface ConnectOptions {
  /** How many milliseconds without data make a connection a dead one. */
  readonly silence: number
  /** Closes the connection. */
  readonly signal: AbortSignal
  /** Called once the connection stands. */
  readonly onConnect: () => void
  /** Called when something was done about a decision, or about the space itself. */
  readonly onAct?: ((decisionId: string | null) => void) | undefined
}

/** Far above the largest event: a line that never ends does not come from our server. */
const MAX_EVENT_SIZE = 32 * 1024 * 1024

/**
 * The events of one connection to a stream, until the server closes it. Throws a `SpacesError` when the connection is
 * refused, breaks, or falls silent.
 */
export async function* connect(
  source: Source,
  { silence, signal, onConnect, onAct }: ConnectOptions,
): AsyncGenerator<Event> {
  const connection = new AbortController()
  const unlink = abortWith(connection, signal)
  try {
    const response = await open(source, { accept: 'text/event-stream', silence, connection })
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    if (!isStream || !response.body) throw notOurs(response)
    onConnect()
    yield* eventsIn(response.body.getReader(), onAct)
  } finally {
    unlink()
    connection.abort()
  }
}

/** The events in a stream of bytes. Nothing more is read before those of the last piece are taken. */
async function* eventsIn(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  onAct: ConnectOptions['onAct'],
): AsyncGenerator<Event> {
  const arrived: Event[] = []
  const parser = createParser({
    maxBufferSize: MAX_EVENT_SIZE,
    onEvent: ({ event, data }) => {
      if (event === 'context_event') arrived.push(JSON.parse(data))
      if (event === 'act') onAct?.(JSON.parse(data).decision_id)
    },
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
