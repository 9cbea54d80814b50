import { DomainError, invalid, isJsonObject, type JsonObject, LIMITS, losesDigits } from '@collab-spaces/domain'
import type { Request } from 'express'
import { Body, BodyBudget } from './budget.js'
import { dropRest } from './drop-rest.js'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads the bodies of requests, whose memory is bounded, however many are sent and however slowly. */
export class BodyReader {
  readonly #budget = new BodyBudget()

  /**
   * Reads the JSON object of a request, whatever its content type; an empty object without a body. 400 for anything else,
   * and the errors of `readBytes`.
   */
  async read(request: Request, limit: number): Promise<JsonObject> {
    const bytes = await this.readBytes(request, limit)
    return bytes.length === 0 ? {} : jsonObjectIn(bytes)
  }

  /**
   * Reads the JSON body of a request. 413 above the limit in bytes, 415 for a compressed one, 503 beyond the memory budget,
   * and 400 for an incomplete body or too many values.
   */
  async readBytes(request: Request, limit: number): Promise<Buffer> {
    return exactJson(await this.readSigned(request, limit))
  }

  /** Reads a body as it was signed, before `exactJson`. */
  async readSigned(request: Request, limit: number): Promise<Buffer> {
    requireIdentity(request)
    if (Number(request.headers['content-length'] ?? 0) > limit) {
      await dropRest(request)
      throw tooLarge(limit)
    }
    return this.#readToEnd(request, limit)
  }

  #readToEnd(request: Request, limit: number): Promise<Buffer> {
    const announced = Number(request.headers['content-length'] ?? limit)
    return new Promise((resolve, reject) => {
      const body = new Body(request.caller?.tenantId ?? null, announced, (error) => {
        this.#budget.release(body)
        if (error.kind === 'too_large') void dropRest(request).then(() => reject(error))
        else reject(error)
      })
      request.on('data', (chunk: Buffer) => {
        if (body.isGivenUp) return
        if (body.length + chunk.length > limit) body.giveUp(tooLarge(limit))
        // Most arrive at once and are never stored as unfinished (`docs/performance.md`).
        else if (chunk.length === announced) body.add(chunk)
        else this.#budget.grow(body, body.add(chunk))
      })
      request.once('end', () => {
        if (body.isGivenUp) return
        this.#budget.finish(body, request.res)
        resolve(body.bytes)
      })
      const cutOff = () => {
        if (!request.complete) body.giveUp(invalid('body', 'ended before it was complete'))
      }
      request.once('error', cutOff)
      request.once('close', cutOff)
    })
  }
}

/** 415 for a compressed body. */
export function requireIdentity({ headers }: Request): void {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new DomainError('unsupported', 'Content-Encoding is not supported: send the body as it is')
  }
}

const tooLarge = (limit: number) => new DomainError('too_large', `The body is larger than ${limit} bytes`)

/** 400 for anything but one JSON object. */
export function jsonObjectIn(bytes: Uint8Array): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch {
    throw invalid('body', 'is not valid JSON in UTF-8')
  }
  if (!isJsonObject(value)) throw invalid('body', 'must be one JSON object')
  return value
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const BEGIN_OF_LIST = 0x5b
const BEGIN_OF_OBJECT = 0x7b

/**
 * Refuses JSON with too many values before it is parsed: few bytes can be large in memory, and a text of only names would
 * block the event loop.
 */
function requireFewValues(json: Uint8Array): void {
  // Each value takes a byte, so that short texts need no check.
  if (json.length > LIMITS.bodyValues && hasMoreValues(json, LIMITS.bodyValues)) {
    throw invalid('body', `must have at most ${LIMITS.bodyValues.toLocaleString('en')} values`)
  }
}

/** Counts commas and opening brackets outside strings. The parser checks validity later. */
function hasMoreValues(json: Uint8Array, most: number): boolean {
  let values = 0
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === QUOTE) at = endOfString(json, at)
    else if ((byte === COMMA || byte === BEGIN_OF_LIST || byte === BEGIN_OF_OBJECT) && ++values > most) return true
  }
  return false
}

function endOfString(json: Uint8Array, begin: number): number {
  let end = json.indexOf(QUOTE, begin + 1)
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf(QUOTE, end + 1)
  return end === -1 ? json.length : end
}

function isEscaped(json: Uint8Array, at: number): boolean {
  let begin = at
  while (json[begin - 1] === BACKSLASH) begin--
  return (at - begin) % 2 === 1
}

/** Integers with at most this many digits are exact. */
const KEPT_DIGITS = 15
/** Parsed as Infinity, which is refused by the name of its field. */
const UNHOLDABLE = '1e999'

/** Replaces integers that parsing would silently round. 400 for too many values. */
export function exactJson(json: Buffer, replace: (integer: string) => string = () => UNHOLDABLE): Buffer {
  requireFewValues(json)
  const pieces: Buffer[] = []
  let copied = 0
  for (let at = 0; at < json.length; at++) {
    if (json[at] === QUOTE) at = endOfString(json, at)
    else if (isOfNumber(json[at])) {
      const begin = at
      while (isOfNumber(json[at + 1])) at++
      const number = json.toString('latin1', begin, at + 1)
      if (at - begin < KEPT_DIGITS || !losesDigits(number)) continue
      pieces.push(json.subarray(copied, begin), Buffer.from(replace(number)))
      copied = at + 1
    }
  }
  return pieces.length === 0 ? json : Buffer.concat([...pieces, json.subarray(copied)])
}

const NUMBER_BYTES = new Set(Buffer.from('0123456789+-.eE'))

const isOfNumber = (byte: number | undefined) => byte !== undefined && NUMBER_BYTES.has(byte)
