import { abortWith } from './abort.js'
import { notOurs } from './error.js'
import { jsonIn } from './json.js'
import { open, type Source } from './response.js'
import { type RetryPolicy, withRetries } from './retry.js'
import { newKey } from './retry-link.js'
import type { File } from './router.js'

export interface UploadOptions {
  /** The name that readers see. */
  readonly name: string
  /** The media type, `application/octet-stream` by default. */
  readonly contentType?: string | undefined
  /** Makes repetitions safe; generated when none is given. */
  readonly idempotencyKey?: string | undefined
  /** Ends the upload with all its repetitions. */
  readonly signal?: AbortSignal | undefined
}

export interface DownloadOptions {
  /** The byte to begin with, such as the number of those that are there from an earlier download. */
  readonly from?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** The slowest network for which uploads are made, in bytes per millisecond. */
const MIN_RATE = 32

/** Uploads a file. Repeated like a write with a key. */
export function upload(
  source: Source,
  content: Uint8Array<ArrayBuffer>,
  { name, contentType = 'application/octet-stream', idempotencyKey = newKey(), signal }: UploadOptions,
  policy: RetryPolicy,
): Promise<File> {
  const headers = { ...source.headers, 'Content-Type': contentType, 'Idempotency-Key': idempotencyKey }
  const request = { ...source, url: `${source.url}?name=${encodeURIComponent(name)}`, headers }
  const silence = policy.timing.silence + content.length / MIN_RATE
  const sendOnce = async () => {
    const connection = new AbortController()
    const unlink = abortWith(connection, signal)
    try {
      const answer = await open(request, { accept: 'application/json', silence, connection, body: content })
      const file = jsonIn(await answer.text())
      if (file === undefined) throw notOurs(answer)
      return file as File
    } finally {
      unlink()
      connection.abort()
    }
  }
  return withRetries(sendOnce, { ...policy, isRepeatable: true, signal })
}

/** Reads the bytes of a file as they are taken. When the connection breaks, the rest comes over another one. */
export async function* download(
  source: Source,
  { from = 0, signal }: DownloadOptions,
  policy: RetryPolicy,
): AsyncGenerator<Uint8Array, undefined> {
  const { silence } = policy.timing
  let connection = new AbortController()
  const end = () => connection.abort(signal?.reason)
  signal?.addEventListener('abort', end)
  let at = from
  let reader: ReadableStreamDefaultReader<Uint8Array> | null = null
  const connect = async () => {
    connection = new AbortController()
    const range = at > 0 && { Range: `bytes=${at}-` }
    // Bytes are counted as they are stored.
    const headers = { ...source.headers, 'Accept-Encoding': 'identity', ...range }
    const answer = await open({ ...source, headers }, { accept: '*/*', silence, connection })
    if (!answer.body || (at > 0 && answer.status !== 206)) throw notOurs(answer)
    return answer.body.getReader()
  }
  const readNext = async () => {
    try {
      reader ??= await connect()
      return await reader.read()
    } catch (error) {
      connection.abort()
      reader = null
      throw error
    }
  }
  try {
    for (;;) {
      const { done, value } = await withRetries(readNext, { ...policy, isRepeatable: true, signal })
      if (done) return
      at += value.length
      yield value
    }
  } finally {
    signal?.removeEventListener('abort', end)
    connection.abort()
  }
}
