import { createServer, IncomingMessage, type Server, type ServerOptions, ServerResponse } from 'node:http'
import type { Caller } from '@collab-spaces/api'
import type express from 'express'
import { closeSoon } from './connection/close-soon.js'
import type { Pipelines } from './connection/pipeline.js'
import { routable, splitTarget, type Target } from './target.js'

declare global {
  namespace Express {
    interface Request {
      /** The caller's own `X-Request-Id` when it sent a proper one, otherwise a new one. */
      id: string
      /** The target as it was sent. `url` is the same in the form that Express takes apart. */
      target: Target
      /** Its name in the metrics; null for a request that they do not count. */
      operation: string | null
      /** Null until it is known. */
      caller: Caller | null
      /** Whether it is a stream, or one that may wait for something to happen. */
      isLasting: boolean
      /** When it began, on the clock of `performance`. */
      readonly begunAt: number
    }

    interface Response {
      /** The headers of every answer, name after value. */
      commonHeaders: string[]
      /** The value of `WWW-Authenticate` in a 401. */
      challenge: string
      /** Called when the answer begins to go out. */
      onBegin: (() => void) | null
      /** Sends the head of an answer, whose body is then written. Headers are name after value. */
      begin(status: number, headers: readonly string[]): void
    }
  }
}

/** A chunk of a body with fewer bytes is a small one. No packet of a network is as small, unless it is the last. */
const SMALL_CHUNK = 256
/** How many of these a body may have. Node makes an object of each, and one read of 64 KiB may bring ten thousand. */
const MAX_SMALL_CHUNKS = 1_000

/**
 * A server whose requests and responses are Express's own from the start. Express gives each that passes through it
 * the prototype of its application. On objects that were made with another one, this costs more than all the rest of
 * the way; on these it changes nothing.
 */
export function createExpressServer(app: express.Express, options: ServerOptions, pipelines: Pipelines): Server {
  class AppRequest extends IncomingMessage {
    id = ''
    target: Target = { authority: null, path: '', query: '' }
    operation: string | null = null
    caller: Caller | null = null
    isLasting = false
    readonly begunAt = performance.now()
    #smallChunks = 0

    /** Node hands over each chunk of a body this way, read or not. */
    override push(chunk: Buffer | null): boolean {
      if (chunk === null || chunk.length >= SMALL_CHUNK || !isChunked(this)) return super.push(chunk)
      if (++this.#smallChunks <= MAX_SMALL_CHUNKS) return super.push(chunk)
      if (this.#smallChunks === MAX_SMALL_CHUNKS + 1) server.emit('clientError', new SmallChunks(), this.socket)
      return false
    }
  }

  class AppResponse extends ServerResponse<AppRequest> {
    commonHeaders: string[] = []
    challenge = 'Bearer'
    onBegin: (() => void) | null = null

    begin(status: number, headers: readonly string[]): void {
      this.onBegin?.()
      // As one list, Node writes them as they stand; set one by one, it would keep and look up each of them.
      super.writeHead(status, [...this.commonHeaders, ...headers])
    }

    /** Where others begin an answer, what they have set goes before what is common. */
    override writeHead(status: number, ...rest: unknown[]): this {
      this.onBegin?.()
      for (let i = 0; i < this.commonHeaders.length; i += 2) {
        const [name, value] = this.commonHeaders.slice(i, i + 2) as [string, string]
        if (!this.hasHeader(name)) this.setHeader(name, value)
      }
      // Node has several forms of it, which are passed on as they are.
      return super.writeHead(status, ...(rest as []))
    }
  }

  Object.setPrototypeOf(AppRequest.prototype, app.request)
  Object.setPrototypeOf(AppResponse.prototype, app.response)
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype })

  const answer = (request: AppRequest, response: ServerResponse) => {
    if (isChunked(request)) response.once('close', () => closeUnread(request))
    pipelines.enter(request.socket, response, () => begin(request, response))
  }
  const begin = (request: AppRequest, response: ServerResponse) => {
    const { url = '' } = request
    request.target = splitTarget(url)
    request.url = routable(url)
    app(request, response)
  }
  const server = createServer({ ...options, IncomingMessage: AppRequest, ServerResponse: AppResponse }, answer)
  // An expectation that we do not know is no reason to refuse a request.
  server.on('checkExpectation', answer)
  return server as Server
}

const isChunked = ({ headers }: IncomingMessage) => headers['transfer-encoding'] !== undefined

/** Node would go on to take chunks apart that nobody has read before the answer, and nobody will. */
function closeUnread({ complete, socket }: IncomingMessage): void {
  if (complete || socket.destroyed) return
  socket.pause()
  closeSoon(socket)
}

/** In the words of Node's parser. */
class SmallChunks extends Error {
  constructor() {
    super(`Parse Error: its body has more than ${MAX_SMALL_CHUNKS} chunks of less than ${SMALL_CHUNK} bytes`)
  }
}
