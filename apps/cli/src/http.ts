import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ReadableStream } from 'node:stream/web'
import { constants, createGunzip } from 'node:zlib'
import type { Answer, FetchInit } from '@collab-spaces/client'

export interface HttpRequest extends Omit<FetchInit, 'body'> {
  readonly body?: string | Uint8Array | undefined
}

/**
 * Sends a request by Node's own HTTP client, without following redirects: the token is for one server only. Resolves when
 * the headers of the answer are there.
 *
 * `fetch` is not used, as Node loads it and compiles its parser when it is first called, which took a quarter of the time of
 * a short command.
 */
export async function send(url: string, { body, headers, ...options }: HttpRequest): Promise<HttpAnswer> {
  const { request } = await import(url.startsWith('https:') ? 'node:https' : 'node:http')
  const outgoing = request(url, { ...options, headers: { 'Accept-Encoding': 'gzip', ...headers } })
  // A failure once the answer has begun is an error of the answer.
  outgoing.on('error', () => {})
  const [message] = await once(outgoing.end(body), 'response')
  return new HttpAnswer(message)
}

/** Bytes are unpacked as they come, and an answer without a body is no broken one. Whether all has come, HTTP tells. */
const AS_IT_COMES = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }

/** An answer whose body is read as it comes, once. */
export class HttpAnswer implements Answer {
  readonly status: number
  readonly headers: Answer['headers']
  readonly bytes: Readable

  constructor(message: IncomingMessage) {
    const { statusCode = 0, headers } = message
    const values = new Map(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    this.status = statusCode
    this.headers = { get: (name) => values.get(name.toLowerCase()) ?? null, [Symbol.iterator]: () => values.entries() }
    this.bytes =
      headers['content-encoding'] === 'gzip' ? pipeline(message, createGunzip(AS_IT_COMES), () => {}) : message
    // An answer that breaks before somebody reads it.
    this.bytes.on('error', () => {})
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }

  get body(): globalThis.ReadableStream<Uint8Array> {
    return Readable.toWeb(this.bytes) as ReadableStream<Uint8Array> as globalThis.ReadableStream<Uint8Array>
  }

  text(): Promise<string> {
    return text(this.bytes)
  }
}
