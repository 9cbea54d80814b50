import { abortWith } from './abort.js'
import { notOurs, SpacesError } from './error.js'
import type { Answer } from './fetch.js'
import { jsonIn } from './json.js'
import { open, type Source } from './response.js'
import { type RetryPolicy, withRetries } from './retry.js'
import { newKey } from './retry-link.js'
import type { File } from './router.js'
import { Sha256 } from './sha256.js'
import { bodyOf, type Sending, type UploadContent } from './upload-body.js'

export interface UploadOptions {
  /** The name that readers see. */
  readonly name: string
  /** The media type, `application/octet-stream` by default. */
  readonly contentType?: string | undefined
  /** The size of a stream in bytes, if it is known: the server refuses one that is too large at once. */
  readonly size?: number | undefined
  /** Makes repetitions safe; generated when none is given. */
  readonly idempotencyKey?: string | undefined
  /** Ends the upload with all its repetitions. */
  readonly signal?: AbortSignal | undefined
  /** Called with the number of bytes that are sent, from the beginning again at a repetition; in browsers at the end. */
  readonly onProgress?: ((sent: number) => void) | undefined
}

export interface DownloadOptions {
  /** The byte to begin with, such as the number of those that are there from an earlier download. The hash is not checked. */
  readonly from?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Called with the number of bytes that are there, of all. */
  readonly onProgress?: ((received: number, size: number) => void) | undefined
}

/** The slowest network for which uploads are made, in bytes per millisecond. */
const MIN_RATE = 32
/** How long the server takes bytes of an upload. */
const MAX_UPLOAD_MS = 15 * 60_000

/** Uploads a file. Repeated like a write with a key, if its bytes can be read again. */
export async function upload(
  source: Source,
  content: UploadContent,
  options: UploadOptions,
  policy: RetryPolicy,
): Promise<File> {
  const { name, contentType = 'application/octet-stream', idempotencyKey = newKey(), signal, onProgress } = options
  const body = await bodyOf(content, options.size, onProgress !== undefined)
  const headers = {
    ...source.headers,
    'Content-Type': contentType,
    'Idempotency-Key': idempotencyKey,
    ...(body.isStreamed && body.size !== null && { 'Content-Length': String(body.size) }),
  }
  const request = { ...source, url: `${source.url}?name=${encodeURIComponent(name)}`, headers }
  const { silence } = policy.timing
  const patience = body.isStreamed ? MAX_UPLOAD_MS : silence + (body.size ?? 0) / MIN_RATE
  const sendOnce = async () => {
    const connection = new AbortController()
    const unlink = abortWith(connection, signal)
    const sending = new Stall(connection, silence, onProgress)
    const { sent, close } = await body.open(sending)
    try {
      const answer = await open(request, { accept: 'application/json', silence: patience, connection, body: sent })
      const file = jsonIn(await answer.text())
      if (file === undefined) throw notOurs(answer)
      return file as File
    } catch (error) {
      // Otherwise, it would pass for one of the network, and be repeated.
      throw sending.failure ?? error
    } finally {
      sending.end()
      unlink()
      close()
      connection.abort()
    }
  }
  const file = await withRetries(sendOnce, { ...policy, isRepeatable: body.isRepeatable, signal })
  if (!body.isStreamed) onProgress?.(file.size)
  return file
}

/** Closes a connection that takes no bytes of a stream any more, and gives no answer. A slow source does not count. */
class Stall implements Sending {
  failure: unknown = null
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    private readonly connection: AbortController,
    private readonly silence: number,
    private readonly onProgress: ((sent: number) => void) | undefined,
  ) {}

  onTaken(sent: number): void {
    if (sent > 0) this.onProgress?.(sent)
  }

  onSourceWait(isWaiting: boolean): void {
    this.end()
    if (isWaiting || this.connection.signal.aborted) return
    const reason = new Error(`nothing was taken for ${this.silence / 1_000} seconds`)
    this.#timer = setTimeout(() => this.connection.abort(reason), this.silence)
  }

  onFailure(error: unknown): void {
    this.failure = error
  }

  end(): void {
    clearTimeout(this.#timer)
  }
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
