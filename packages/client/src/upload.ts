import { abortWith } from './abort.js'
import { notOurs } from './error.js'
import { jsonIn } from './json.js'
import { open, type Source } from './response.js'
import { type RetryPolicy, withRetries } from './retry.js'
import { newKey } from './retry-link.js'
import type { File } from './router.js'
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
