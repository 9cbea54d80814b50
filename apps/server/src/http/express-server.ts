import { createServer, IncomingMessage, type Server, type ServerOptions, ServerResponse } from 'node:http'
import type { Caller } from '@collab-spaces/api'
import type express from 'express'
import type { Pipelines } from './connection/pipeline.js'
import { closeSoon } from './connection/slow-readers.js'
import { routable, splitTarget, type Target } from './target.js'

declare global {
  namespace Express {
    interface Request {
      /** The caller's `X-Request-Id` if valid, otherwise a new one. */
      id: string
      /** The target as it was sent. `url` is its form for Express's router. */
      target: Target
      /** Its operation in the metrics; null if they do not count it. */
      operation: string | null
      /** Null before authentication. */
      caller: Caller | null
      /** Whether it is a stream or a long poll. */
      isLasting: boolean
      /** Takes the pieces of the body before the request does, and null at its end. Returns false to pause the connection. */
      sink: ((piece: Buffer | null) => boolean) | null
      /** Its start, on the clock of `performance`. */
      readonly begunAt: number
    }

    interface Response {
      /** The headers of every response, names and values alternating. */
      commonHeaders: string[]
      /** The value of `WWW-Authenticate` in a 401. */
      challenge: string
      /** Called when the head of the response is sent. */
      onBegin: (() => void) | null
      /** Sends the head of a response. Names and values of headers alternate. */
      begin(status: number, headers: readonly string[]): void
    }
  }
}

/** Chunks of a body below this size are small: smaller than any network packet but the last. */
const SMALL_CHUNK = 256
/** The maximum number of small chunks in a body. Node allocates an object for each, and 64 KiB may hold ten thousand. */
const MAX_SMALL_CHUNKS = 1_000

/**
 * Creates a server whose requests and responses have Express's prototypes from the start. Express sets the prototype of
 * its application on each; on objects created with another one, this costs more than all other work of a request.
 */
export function createExpressServer(app: express.Express, options: ServerOptions, pipelines: Pipelines): Server {
  class AppRequest extends IncomingMessage {
    id = ''
    target: Target = { authority: null, path: '', query: '' }
    operation: string | null = null
    caller: Caller | null = null
    isLasting = false
    sink: ((piece: Buffer | null) => boolean) | null = null
    readonly begunAt = performance.now()
    #smallChunks = 0

    /** Node passes each chunk of a body here, whether or not the body is read. */
    override push(chunk: Buffer | null): boolean {
      if (chunk === null || chunk.length >= SMALL_CHUNK || !isChunked(this)) return this.#take(chunk)
      if (++this.#smallChunks <= MAX_SMALL_CHUNKS) return this.#take(chunk)
      if (this.#smallChunks === MAX_SMALL_CHUNKS + 1) server.emit('clientError', new SmallChunks(), this.socket)
      return false
    }

    #take(chunk: Buffer | null): boolean {
      const canTakeMore = this.sink?.(chunk)
      return canTakeMore === undefined || chunk === null ? super.push(chunk) : canTakeMore
    }
  }

  class AppResponse extends ServerResponse<AppRequest> {
    commonHeaders: string[] = []
    challenge = 'Bearer'
    onBegin: (() => void) | null = null

    begin(status: number, headers: readonly string[]): void {
      this.onBegin?.()
      // Node writes a list as it is; headers set one by one are stored and looked up.
      super.writeHead(status, [...this.commonHeaders, ...headers])
      // A stream keeps its response.
      this.commonHeaders = []
    }

    /** Where a library starts a response, its headers override the common ones. */
    override writeHead(status: number, ...rest: unknown[]): this {
      this.onBegin?.()
      for (let i = 0; i < this.commonHeaders.length; i += 2) {
        const [name, value] = this.commonHeaders.slice(i, i + 2) as [string, string]
        if (!this.hasHeader(name)) this.setHeader(name, value)
      }
      // Passes Node's several forms of arguments on as they are.
      return super.writeHead(status, ...(rest as []))
    }
  }

  Object.setPrototypeOf(AppRequest.prototype, app.request)
  Object.setPrototypeOf(AppResponse.prototype, app.response)
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype })

  const answer = (request: AppRequest, response: ServerResponse) => {
    if (isChunked(request)) response.on('close', () => closeUnread(request))
    pipelines.enter(request.socket, response, () => begin(request, response))
  }
  const begin = (request: AppRequest, response: ServerResponse) => {
    const { url = '' } = request
    request.target = splitTarget(url)
    request.url = routable(url)
    app(request, response)
  }
  const server = createServer({ ...options, IncomingMessage: AppRequest, ServerResponse: AppResponse }, answer)
  // An unknown expectation is not a reason to refuse a request.
  server.on('checkExpectation', answer)
  return server as Server
}

const isChunked = ({ headers }: IncomingMessage) => headers['transfer-encoding'] !== undefined

/** Closes a connection with an unread body, whose chunks Node would otherwise continue to parse. */
function closeUnread({ complete, socket }: IncomingMessage): void {
  if (complete || socket.destroyed) return
  socket.pause()
  closeSoon(socket)
}

/** Worded like the errors of Node's parser. */
class SmallChunks extends Error {
  constructor() {
    super(`Parse Error: its body has more than ${MAX_SMALL_CHUNKS} chunks of less than ${SMALL_CHUNK} bytes`)
  }
}
