import { DomainError, invalid, isJsonObject, type JsonObject, tooMuchSent } from '@collab-spaces/domain'
import type { Request } from 'express'
import { dropRest } from './drop-rest.js'
import { LargeBodies } from './large-bodies.js'
import { requireFewValues } from './values.js'

/** How many bytes of bodies are kept that have not come to their end, and of large ones whose requests are not answered. */
const MOST_KEPT = 64 * 1024 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads the bodies of requests. Together they take only so much memory, however many are sent, and however slowly. */
export class BodyReader {
  /** Those that have not grown for longest come first. */
  readonly #unfinished = new Set<UnfinishedBody>()
  readonly #large = new LargeBodies()
  #bytes = 0

  constructor(private readonly mostKept = MOST_KEPT) {}

  /**
   * The JSON object that a request carries, whatever its content type says; an empty object when it carries nothing.
   * Throws 400 for anything that is not one JSON object, and as `readBytes` does.
   */
  async read(request: Request, limit: number): Promise<JsonObject> {
    const bytes = await this.readBytes(request, limit)
    return bytes.length === 0 ? {} : parse(bytes)
  }

  /**
   * What a request carries. Throws 413 above the limit in bytes, 415 when it is compressed, 503 when there is no room for
   * it, and 400 when it does not come to its end or has too many values.
   */
  async readBytes(request: Request, limit: number): Promise<Buffer> {
    const encoding = request.headers['content-encoding']
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
      throw new DomainError('unsupported', 'Content-Encoding is not supported: send the body as it is')
    }
    if (Number(request.headers['content-length'] ?? 0) > limit) {
      await dropRest(request)
      throw tooLarge(limit)
    }
    const bytes = await this.#readToEnd(request, limit)
    requireFewValues(bytes)
    this.#large.hold(request, bytes.length)
    return bytes
  }

  #readToEnd(request: Request, limit: number): Promise<Buffer> {
    const announced = Number(request.headers['content-length'])
    return new Promise((resolve, reject) => {
      const body = new UnfinishedBody((error) => {
        this.#forget(body)
        if (error.kind === 'too_large') void dropRest(request).then(() => reject(error))
        else reject(error)
      })
      request.on('data', (chunk: Buffer) => {
        if (body.isGivenUp) return
        if (body.length + chunk.length > limit) body.giveUp(tooLarge(limit))
        // Most come at once and are never unfinished, which costs them nothing (`docs/performance.md`).
        else if (chunk.length === announced) body.add(chunk)
        else this.#add(body, chunk)
      })
      request.once('end', () => {
        if (body.isGivenUp) return
        this.#forget(body)
        resolve(body.bytes)
      })
      const cutOff = () => {
        if (!request.complete) body.giveUp(invalid('body', 'ended before it was complete'))
      }
      request.once('error', cutOff)
      request.once('close', cutOff)
    })
  }

  #add(body: UnfinishedBody, chunk: Buffer): void {
    this.#forget(body)
    body.add(chunk)
    this.#unfinished.add(body)
    this.#bytes += body.size
    const [idlest] = this.#unfinished
    if (this.#bytes + this.#large.bytes > this.mostKept) idlest?.giveUp(tooMuchSent())
  }

  #forget(body: UnfinishedBody): void {
    if (this.#unfinished.delete(body)) this.#bytes -= body.size
  }
}

const NOTHING = Buffer.alloc(0)

/** As much of a body as has come. In one piece, as thousands of tiny ones would take many times their bytes. */
class UnfinishedBody {
  length = 0
  isGivenUp = false
  #buffer: Buffer = NOTHING

  constructor(private readonly onGivenUp: (error: DomainError) => void) {}

  /** What it takes in memory. */
  get size(): number {
    return this.#buffer.length
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.length)
  }

  add(chunk: Buffer): void {
    const length = this.length + chunk.length
    if (this.length === 0) {
      // Most bodies come at once, and nothing has to be copied.
      this.#buffer = chunk
    } else {
      if (length > this.size) this.#grow(length)
      chunk.copy(this.#buffer, this.length)
    }
    this.length = length
  }

  giveUp(error: DomainError): void {
    if (this.isGivenUp) return
    this.isGivenUp = true
    this.onGivenUp(error)
    this.#buffer = NOTHING
    this.length = 0
  }

  #grow(length: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.size))
    this.bytes.copy(grown)
    this.#buffer = grown
  }
}

const tooLarge = (limit: number) => new DomainError('too_large', `The body is larger than ${limit} bytes`)

function parse(bytes: Buffer): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch {
    throw invalid('body', 'is not valid JSON in UTF-8')
  }
  if (!isJsonObject(value)) throw invalid('body', 'must be one JSON object')
  return value
}
