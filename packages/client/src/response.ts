import { SpacesError } from './error.js'
import type { Answer } from './fetch.js'
import type { Home } from './home.js'
import type { SentBytes } from './upload-body.js'

/** A request: the address, the credential, and the server. */
export interface Source {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly home: Home
}

interface OpenOptions {
  /** The media type that is wanted. */
  readonly accept: string
  /** How many milliseconds without data make a connection a dead one. */
  readonly silence: number
  /** Closes the connection. */
  readonly connection: AbortController
  /** The body of a POST; none for a GET. */
  readonly body?: SentBytes
}

/**
 * The answer to a GET or a POST, as soon as its headers are there. Throws a `SpacesError` when there is no answer or it is no
 * success; its body fails with one when the connection breaks or falls silent.
 */
export async function open({ url, home, headers }: Source, options: OpenOptions): Promise<Answer> {
  const { accept, silence, connection, body: sent } = options
  const inTime = deadline(silence, connection)
  const answer = await inTime(() =>
    home.fetch(url, {
      ...(sent && { method: 'POST', body: sent, ...(sent instanceof ReadableStream && { duplex: 'half' }) }),
      headers: { ...headers, Accept: accept },
      signal: connection.signal,
    }),
  )
  if (!answer.ok) throw SpacesError.refused(answer, await inTime(() => answer.text()))
  const { status, headers: answered, body: content } = answer
  const body = content && timed(content, inTime)
  return { ok: true, status, headers: answered, body, text: () => textOf(body) }
}

async function textOf(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const decoder = new TextDecoder()
  const reader = body?.getReader()
  let text = ''
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {}
    if (done) return text + decoder.decode()
    text += decoder.decode(value, { stream: true })
  }
}

type InTime = <T>(ask: () => Promise<T>) => Promise<T>

/**
 * Waits for what the server sends, but not for ever: then it closes the connection. Only waiting counts, so a slow
 * reader does not make the connection a silent one.
 */
function deadline(ms: number, connection: AbortController): InTime {
  return async (ask) => {
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

/** The same bytes, read no faster than they are taken, each piece in time. */
function timed(body: ReadableStream<Uint8Array>, inTime: InTime): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await inTime(() => reader.read())
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
