import { once } from 'node:events'
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { BucketFault, type ContentSource, type ObjectStore } from '@collab-spaces/db'
import { isUuid } from '@collab-spaces/domain'
import { AwsV4Signer } from 'aws4fetch'

/** A bucket of S3 or of a compatible store. */
export interface BucketPlace {
  /** The URL of the store. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  /** Precedes the name of each object. */
  readonly prefix: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** The time in which the store must accept or send a further piece, in milliseconds. */
const SILENCE_MS = 10_000

const MAX_KEYS = 1_000

type Method = 'GET' | 'PUT' | 'DELETE'

interface BucketRequest {
  readonly method: Method
  /** The id of a content; none for the bucket itself. */
  readonly contentId?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

/** Stores contents as objects of a bucket, each in one request. It is addressed by path, as all compatible stores allow. */
export class Bucket implements ObjectStore {
  /** Connections are kept for requests that may be repeated when the store has closed one. */
  readonly #kept: HttpAgent | HttpsAgent
  readonly #request: typeof httpRequest
  /** The keys that are derived for a day. */
  readonly #signingKeys = new Map<string, ArrayBuffer>()

  constructor(private readonly place: BucketPlace) {
    const isSecure = place.endpoint.startsWith('https:')
    this.#kept = isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
    this.#request = isSecure ? httpsRequest : httpRequest
  }

  async write(contentId: string, { size, chunks }: ContentSource): Promise<void> {
    if (size === null) throw new Error('an object is stored in one request, which needs its size')
    const watch = new SilenceWatch()
    const source = new Source(chunks, watch)
    try {
      const fields: BucketRequest = { method: 'PUT', contentId, headers: { 'content-length': String(size) } }
      const request = await this.#open(fields, watch, false)
      await storing(request, source)
    } catch (error) {
      throw source.fault ?? faultOf(error)
    } finally {
      watch.rest()
    }
  }

  async *read(contentId: string, { from, to }: { readonly from: number; readonly to: number }): AsyncGenerator<Buffer> {
    const watch = new SilenceWatch()
    try {
      const answer = await this.#ask({ method: 'GET', contentId, headers: { range: `bytes=${from}-${to - 1}` } }, watch)
      // A missing object has no bytes, and neither has an empty one, of which no part can be sent.
      if (answer.statusCode === 404 || answer.statusCode === 416) return void answer.resume()
      await requireStatus(answer, 206)
      const pieces: AsyncIterator<Buffer> = answer[Symbol.asyncIterator]()
      try {
        for (let left = to - from; left > 0; ) {
          const { done, value } = await watch.during(() => pieces.next())
          if (done) return
          // Some stores send more than the part.
          const piece = value.subarray(0, left)
          left -= piece.length
          yield piece
        }
      } finally {
        answer.destroy()
      }
    } catch (error) {
      throw faultOf(error)
    } finally {
      watch.rest()
    }
  }

  async remove(contentId: string): Promise<void> {
    await this.#finish({ method: 'DELETE', contentId }, 204, 404)
  }

  async list(after: string | null): Promise<string[]> {
    const { prefix } = this.place
    for (let last = after && prefix + after; ; ) {
      const query = {
        'list-type': '2',
        'max-keys': String(MAX_KEYS),
        prefix,
        ...(last !== null && { 'start-after': last }),
      }
      const keys = keysIn(await this.#finish({ method: 'GET', query }, 200))
      const ids = keys.map((key) => key.slice(prefix.length)).filter(isUuid)
      last = keys.at(-1) ?? null
      // Objects with other names are not of this service.
      if (ids.length > 0 || last === null) return ids
    }
  }

  /** Asks for a short answer, and returns it. */
  async #finish(fields: BucketRequest, ...statuses: number[]): Promise<string> {
    const watch = new SilenceWatch()
    try {
      const answer = await this.#ask(fields, watch)
      await requireStatus(answer, ...statuses)
      return await text(answer)
    } catch (error) {
      throw faultOf(error)
    } finally {
      watch.rest()
    }
  }

  /** Sends a request without a body. Repeats it once on a new connection if a kept one was closed. */
  async #ask(fields: BucketRequest, watch: SilenceWatch): Promise<IncomingMessage> {
    const request = await this.#open(fields, watch, true)
    request.end()
    try {
      return await answerTo(request)
    } catch (error) {
      if (!request.reusedSocket || watch.isOver) throw error
      const again = await this.#open(fields, watch, false)
      again.end()
      return answerTo(again)
    }
  }

  async #open({ method, contentId, query, headers }: BucketRequest, watch: SilenceWatch, isKept: boolean) {
    const { endpoint, bucket, prefix, region, accessKeyId, secretAccessKey } = this.place
    const url = new URL(endpoint)
    const path = contentId === undefined ? bucket : `${bucket}/${prefix}${contentId}`
    url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`
    url.search = new URLSearchParams(query).toString()
    const credentials = { accessKeyId, secretAccessKey, region, service: 's3', cache: this.#signingKeys }
    const signed = await new AwsV4Signer({ method, url: url.href, ...credentials }).sign()
    watch.begin()
    const request = this.#request(signed.url, {
      method,
      headers: { ...Object.fromEntries(signed.headers), ...headers },
      agent: isKept ? this.#kept : false,
      signal: watch.signal,
    })
    // Node also emits what the reader of the response gets.
    return request.on('error', () => {})
  }
}

/** Aborts a request when the store is silent while it is waited for, however slow the client is. */
class SilenceWatch {
  readonly #silent = new AbortController()
  #timer: NodeJS.Timeout | undefined

  get signal(): AbortSignal {
    return this.#silent.signal
  }

  get isOver(): boolean {
    return this.signal.aborted
  }

  begin(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(
      () => this.#silent.abort(new BucketFault(`the bucket was silent for ${SILENCE_MS} ms`)),
      SILENCE_MS,
    ).unref()
  }

  rest(): void {
    clearTimeout(this.#timer)
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.begin()
    try {
      return await work()
    } finally {
      this.rest()
    }
  }
}

/** The body of a request: what its reader throws is no fault of the store. */
class Source {
  fault: unknown

  constructor(
    private readonly chunks: AsyncIterable<Buffer>,
    private readonly watch: SilenceWatch,
  ) {}

  async *pieces(): AsyncGenerator<Buffer> {
    this.watch.rest()
    try {
      for await (const chunk of this.chunks) {
        this.watch.begin()
        yield chunk
        this.watch.rest()
      }
    } catch (error) {
      this.fault = error
      throw error
    }
    this.watch.begin()
  }
}

async function storing(request: ClientRequest, source: Source): Promise<void> {
  const stored = answerTo(request).then(async (answer) => {
    await requireStatus(answer, 200)
    answer.resume()
  })
  const sent = pipeline(source.pieces(), request)
  try {
    await Promise.all([stored, sent])
  } catch (error) {
    // A refusal may come before the last piece.
    request.destroy()
    await sent.catch(() => {})
    throw error
  }
}

async function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  return answer
}

async function requireStatus(answer: IncomingMessage, ...statuses: number[]): Promise<void> {
  if (statuses.includes(answer.statusCode ?? 0)) return
  const reason = /<Code>(\w+)<\/Code>/.exec(await text(answer))?.[1] ?? ''
  throw new BucketFault(`the bucket answered ${`${answer.statusCode} ${reason}`.trim()}`)
}

const faultOf = (error: unknown): BucketFault =>
  error instanceof BucketFault ? error : new BucketFault('the bucket did not answer', { cause: error })

/** The names of objects in a list. They need no decoding: the prefix and ids have no special characters. */
const keysIn = (list: string): string[] => Array.from(list.matchAll(/<Key>([^<]*)<\/Key>/g), ([, key = '']) => key)
