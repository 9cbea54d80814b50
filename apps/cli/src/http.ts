import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ReadableStream } from 'node:stream/web'
import { constants, createGunzip } from 'node:zlib'
import type { Answer, FetchInit } from '@collab-spaces/client'
import { isLoopback } from './account/url.js'
import type { NodeRequest } from './proxy.js'
import type { Proxies } from './settings.js'

export interface HttpRequest extends Omit<FetchInit, 'body'> {
  readonly body?: FetchInit['body'] | Uint8Array | undefined
}

/** Sends a request, through a proxy where one is needed. Resolves when the headers of the answer are there. */
export async function send(
  url: string,
  { headers, body: sent, duplex: _, ...options }: HttpRequest,
  proxies?: Proxies,
): Promise<HttpAnswer> {
  const request = { ...options, body: bodyOf(sent), headers: { 'Accept-Encoding': 'gzip', ...headers } }
  if (!proxies || isLoopback(url)) return sendDirectly(url, request)
  const { sendThrough } = await import('./proxy.js')
  const { statusCode, headers: answered, body } = await sendThrough(proxies, url, request)
  return new HttpAnswer(statusCode, answered, body)
}

function bodyOf(body: HttpRequest['body']): NodeRequest['body'] {
  const stream = body instanceof Blob ? body.stream() : body
  return stream instanceof globalThis.ReadableStream ? Readable.fromWeb(stream as ReadableStream) : stream
}

/**
 * Sends a request by Node's own HTTP client, without following redirects: the token is for one server only.
 *
 * `fetch` is not used, as Node loads it and compiles its parser when it is first called, which took a quarter of the time of
 * a short command.
 */
async function sendDirectly(url: string, { body, ...options }: NodeRequest): Promise<HttpAnswer> {
  const { request } = await import(url.startsWith('https:') ? 'node:https' : 'node:http')
  const outgoing = request(url, options)
  // A failure once the answer has begun is an error of the answer.
  outgoing.on('error', () => {})
  const answered = once(outgoing, 'response')
  // An error of the body is one of the request.
  if (body instanceof Readable) pipeline(body, outgoing, () => {})
  else outgoing.end(body)
  const [message] = await answered
  return new HttpAnswer(message.statusCode ?? 0, message.headers, message)
}

/** Bytes are unpacked as they come, and an answer without a body is no broken one. Whether all has come, HTTP tells. */
const AS_IT_COMES = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }

/** An answer whose body is read as it comes, once. */
export class HttpAnswer implements Answer {
  readonly status: number
  readonly headers: Answer['headers']
  readonly bytes: Readable
  #body?: globalThis.ReadableStream<Uint8Array>

  constructor(status: number, headers: IncomingHttpHeaders, message: Readable) {
    const values = new Map(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    this.status = status
    this.headers = { get: (name) => values.get(name.toLowerCase()) ?? null, [Symbol.iterator]: () => values.entries() }
    this.bytes =
      headers['content-encoding'] === 'gzip' ? pipeline(message, createGunzip(AS_IT_COMES), () => {}) : message
    // A response that fails before it is read.
    this.bytes.on('error', () => {})
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }

  get body(): globalThis.ReadableStream<Uint8Array> {
    // A second stream would queue all that the first one reads.
    this.#body ??= Readable.toWeb(this.bytes) as typeof this.body
    return this.#body
  }

  text(): Promise<string> {
    return text(this.bytes)
  }
}
