import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { splitTarget } from './target.js'

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/

/** A request and its answer: what all of them have, whoever gives the answer. */
export class Exchange {
  /** The caller's own `X-Request-Id` when it sent a proper one, otherwise a new one. */
  readonly id: string
  readonly path: string
  readonly query: string
  /** What the metrics call it; null for what they do not count. */
  operation: string | null = null
  readonly #begun = performance.now()

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    /** The headers of every answer, name after value. */
    private readonly common: readonly string[],
  ) {
    const given = request.headers['x-request-id']
    this.id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
    const { path, query } = splitTarget(request.url ?? '/')
    this.path = path
    this.query = query
  }

  /** HEAD is answered as GET; Node leaves the body out by itself. */
  get method(): string {
    const { method = '' } = this.request
    return method === 'HEAD' ? 'GET' : method
  }

  /** Since it began, in milliseconds. */
  get elapsed(): number {
    return performance.now() - this.#begun
  }

  /** Sends the head of an answer, whose body is then written to the response. Headers are name after value. */
  begin(status: number, headers: readonly string[]): void {
    // As one list, Node writes them as they stand; set one by one, it would keep and look up each of them.
    this.response.writeHead(status, [...this.common, 'X-Request-Id', this.id, ...headers])
  }

  /** Sends a whole answer. `size` is that of the body in bytes. */
  send(
    status: number,
    contentType: string,
    body: string | Buffer,
    headers: readonly string[] = [],
    size = Buffer.byteLength(body),
  ): void {
    this.begin(status, ['Content-Type', contentType, 'Content-Length', String(size), ...headers])
    this.response.end(body)
  }

  sendJson(status: number, text: string, headers?: readonly string[], size?: number): void {
    this.send(status, 'application/json; charset=utf-8', text, headers, size)
  }

  /** Gives the response its headers, for a handler that begins the answer by itself. */
  prepare(): ServerResponse {
    this.response.setHeader('X-Request-Id', this.id)
    for (let i = 0; i < this.common.length; i += 2) {
      this.response.setHeader(this.common[i] as string, this.common[i + 1] as string)
    }
    return this.response
  }
}
