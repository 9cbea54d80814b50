import { randomUUID } from 'node:crypto'
import { type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Express } from 'express'
import { closeSoon } from './connection/close-soon.js'
import { Pipelines } from './connection/pipeline.js'
import { type ReaderLimits, SlowReaders } from './connection/slow-readers.js'
import { createExpressServer } from './express-server.js'

/** Longer than the idle time of common load balancers, so that it is never us who hangs up on a request. */
const KEEP_ALIVE_MS = 65_000
const HEADERS_MS = 15_000
const REQUEST_MS = 60_000
const CHECK_CONNECTIONS_MS = 2_000
const CLOSE_IDLE_INTERVAL_MS = 50

/** Errors of Node's parser about a request that it cannot read, as statuses. */
const PARSER_STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Advice to its sender, where the parser gives none. */
const PARSER_DETAIL: Readonly<Record<number, string>> = {
  431: 'its headers are larger than 16 KiB',
  408: 'it took too long to arrive',
}

/** Node's parser quotes nothing of the request: "Parse Error: Invalid method encountered". */
const PARSER_MESSAGE = /^Parse Error: (.+)/

/** The open connections of each server; Node tells only how many there are. */
const connections = new WeakMap<Server, Set<Socket>>()

export function createHttpServer(app: Express, limits: ReaderLimits = {}): Server {
  const pipelines = new Pipelines()
  const options = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
    // The app refuses a request without it, in the form of all refusals.
    requireHostHeader: false,
    // Two hosts are no host, and two credentials none; by default, Node would take the first.
    joinDuplicateHeaders: true,
  }
  const server = createExpressServer(app, options, pipelines)
  const open = new Set<Socket>()
  connections.set(server, open)
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  // Any answer may be of some size, so it is connections that are watched.
  const slowReaders = new SlowReaders(open, limits)
  server.once('close', () => slowReaders.close())
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    // A second answer, in the middle of one or right behind it to the same request, would be taken for its rest.
    socket.end(pipelines.isAnswering(socket) ? '' : answerTo(error))
    closeSoon(socket)
  })
  return server
}

/** A request that is not HTTP gets an answer of the same form as all others. */
function answerTo({ code, message }: NodeJS.ErrnoException): string {
  const status = PARSER_STATUS[code ?? ''] ?? 400
  const problem = PARSER_DETAIL[status] ?? PARSER_MESSAGE.exec(message)?.[1] ?? 'it is not valid HTTP/1.1'
  const body = JSON.stringify({ detail: `The request could not be read: ${problem}` })
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
    `X-Request-Id: ${randomUUID()}\r\nCache-Control: no-store\r\nAccess-Control-Allow-Origin: *\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
  )
}

/** Takes no more connections, lets requests in flight finish, and cuts what is left after the deadline. */
export function closeGracefully(server: Server, deadlineMs: number): Promise<void> {
  return new Promise((resolve) => {
    // A connection that falls idle after its last request would otherwise be kept alive for a minute.
    const sweep = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_INTERVAL_MS)
    // Browsers connect in advance; as long as they send nothing, Node does not count such connections as idle.
    for (const socket of connections.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy()
    const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs)
    server.close(() => {
      clearInterval(sweep)
      clearTimeout(deadline)
      resolve()
    })
  })
}
