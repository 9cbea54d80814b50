import { notOurs, SpacesError } from './error.js'
import type { Answer } from './fetch.js'
import { open, type Source } from './response.js'
import { type RetryPolicy, withRetries } from './retry.js'
import { Sha256 } from './sha256.js'

export interface DownloadOptions {
  /** The byte to begin with, such as the number of those that are there from an earlier download. The hash is not checked. */
  readonly from?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Called with the number of bytes that are there, of all. */
  readonly onProgress?: ((received: number, size: number) => void) | undefined
}

/** Reads the bytes of a file as they are taken. When the connection breaks, the rest comes over another one. */
export async function* download(
  source: Source,
  { from = 0, signal, onProgress }: DownloadOptions,
  policy: RetryPolicy,
): AsyncGenerator<Uint8Array, undefined> {
  const { silence } = policy.timing
  let connection = new AbortController()
  const end = () => connection.abort(signal?.reason)
  signal?.addEventListener('abort', end)
  let at = from
  let whole = null as Whole | null
  let reader: ReadableStreamDefaultReader<Uint8Array> | null = null
  const connect = async () => {
    connection = new AbortController()
    const range = at > 0 && { Range: `bytes=${at}-`, ...(whole?.tag && { 'If-Range': whole.tag }) }
    // Bytes are counted as they are stored.
    const headers = { ...source.headers, 'Accept-Encoding': 'identity', ...range }
    const answer = await open({ ...source, headers }, { accept: '*/*', silence, connection })
    if (!answer.body || (at > 0 && answer.status !== 206)) throw notOurs(answer)
    whole ??= wholeIn(answer)
    return answer.body.getReader()
  }
  const readNext = async () => {
    try {
      reader ??= await connect()
      const next = await reader.read()
      if (next.done && whole && at < whole.size) throw SpacesError.unreachable(new Error('the answer is too short'))
      return next
    } catch (error) {
      connection.abort()
      reader = null
      throw error
    }
  }
  const hash = from === 0 ? new Sha256() : null
  try {
    for (;;) {
      const { done, value } = await withRetries(readNext, { ...policy, isRepeatable: true, signal })
      if (done) return requireWhole(whole, at, hash)
      at += value.length
      hash?.update(value)
      onProgress?.(at, whole?.size ?? at)
      yield value
    }
  } finally {
    signal?.removeEventListener('abort', end)
    connection.abort()
  }
}

/** The whole content, as the server describes it. */
interface Whole {
  readonly size: number
  readonly tag: string | null
}

function wholeIn({ headers }: Answer): Whole | null {
  const size = headers.get('content-range')?.match(/\/(\d+)$/)?.[1] ?? headers.get('content-length')
  return size ? { size: Number(size), tag: headers.get('etag') } : null
}

/** The entity tag of a file is its hash. */
function requireWhole(whole: Whole | null, length: number, hash: Sha256 | null): undefined {
  const [, expected] = whole?.tag?.match(/^"([0-9a-f]{64})"$/) ?? []
  const isWhole = whole === null || length === whole.size
  if (isWhole && (!hash || expected === undefined || hash.digest() === expected)) return
  throw SpacesError.damaged('The bytes are not those of the file: its length or SHA-256 differs. Download it again')
}
