import { abortWith } from './abort.js'
import { notOurs } from './error.js'
import type { Answer } from './fetch.js'
import { jsonIn } from './json.js'
import { open, type Source } from './response.js'
import { type RetryPolicy, withRetries } from './retry.js'

/** How an answer is read. */
export interface GetOptions<T> {
  /**
   * Makes the result of the answer while it arrives; by default, the JSON value of all of it. The connection is closed
   * when the promise resolves. Called again with another answer when the connection breaks in between.
   */
  readonly read?: ((response: Response) => Promise<T>) | undefined
  /** Ends the call with all its repetitions. */
  readonly signal?: AbortSignal | undefined
}

/** Reads over REST. */
export function get<T>(source: Source, { read, signal }: GetOptions<T>, policy: RetryPolicy): Promise<T> {
  const silence = policy.timing.silence + waitIn(source.url)
  const readOnce = async () => {
    const connection = new AbortController()
    const unlink = abortWith(connection, signal)
    try {
      const answer = await open(source, { accept: 'application/json', silence, connection })
      return await (read ? read(responseOf(answer)) : json<T>(answer))
    } finally {
      unlink()
      connection.abort()
    }
  }
  return withRetries(readOnce, { ...policy, isRepeatable: true, signal })
}

/** How long the server may take before it answers, because it was asked to wait; in milliseconds. */
const waitIn = (url: string): number => Number(new URL(url).searchParams.get('wait') ?? 0) * 1_000 || 0

async function json<T>(answer: Answer): Promise<T> {
  const value = jsonIn(await answer.text())
  if (value === undefined) throw notOurs(answer)
  return value as T
}

const responseOf = ({ status, headers, body }: Answer) => new Response(body, { status, headers: [...headers] })
