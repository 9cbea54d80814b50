import { createServer, IncomingMessage, type Server, type ServerOptions, ServerResponse } from 'node:http'
import type { Caller } from '@collab-spaces/api'
import type express from 'express'
import { Crumbs } from './body/crumbs.js'
import { Pipelines } from './connection/pipelines.js'
import { routable, splitTarget, type Target } from './target.js'

declare global {
  namespace Express {
    interface Request {
      /** The caller's own `X-Request-Id` when it sent a proper one, otherwise a new one. */
      id: string
      /** What was asked for, as it was sent. `url` is the same in the form that Express takes apart. */
      target: Target
      /** What the metrics call it; null for what they do not count. */
      operation: string | null
      /** Who calls, once that is known. */
      caller: Caller | null
      /** Whether it is a stream, or one that may wait for something to happen. */
      isLasting: boolean
      /** When it began, on the clock of `performance`. */
      readonly begunAt: number
    }

    interface Response {
      /** The headers of every answer, name after value. */
      commonHeaders: string[]
      /** Called when the answer begins to go out. */
      onBegin: (() => void) | null
      /** Sends the head of an answer, whose body is then written. Headers are name after value. */
      begin(status: number, headers: readonly string[]): void
    }
  }
}

/**
 * A server whose requests and responses are Express's own from the start. Express gives each that passes through it
 * the prototype of its application. On objects that were made with another one, this costs more than all the rest of
 * the way; on these it changes nothing.
 */
export function createExpressServer(app: express.Express, options: ServerOptions): Server {
  class AppRequest extends IncomingMessage {
    id = ''
    target: Target = { authority: null, path: '', query: '' }
    operation: string | null = null
    caller: Caller | null = null
    isLasting = false
    readonly begunAt = performance.now()
  }

  class AppResponse extends ServerResponse<AppRequest> {
    commonHeaders: string[] = []
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

  const pipelines = new Pipelines()
  const crumbs = new Crumbs()

  const answer = (request: AppRequest, response: ServerResponse) => {
    if (request.headers['transfer-encoding'] !== undefined) crumbs.watch(request)
    // It has its connection to itself, unless it was sent while another one was being answered.
    if (response.socket) begin(request, response)
    else pipelines.wait(request.socket, response, () => begin(request, response))
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
