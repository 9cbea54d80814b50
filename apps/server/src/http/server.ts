import { randomUUID } from 'node:crypto'
import { type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Express } from 'express'
import { uploadOn } from './body/upload.js'
import { Pipelines } from './connection/pipeline.js'
import { closeSoon, type ReaderLimits, SlowReaders } from './connection/slow-readers.js'
import { createExpressServer } from './express-server.js'

/** Longer than the idle timeout of common load balancers, so that the server never closes first. */
const KEEP_ALIVE_MS = 65_000
const HEADERS_MS = 15_000
const REQUEST_MS = 60_000
/** The largest file by default takes 14 minutes at the slowest rate for which `packages/client` is made. */
const UPLOAD_MS = 15 * 60_000
const CHECK_CONNECTIONS_MS = 2_000
const CLOSE_IDLE_INTERVAL_MS = 50

const TOO_SLOW = 'ERR_HTTP_REQUEST_TIMEOUT'

/** The statuses of errors of Node's parser. */
const PARSER_STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  [TOO_SLOW]: 408,
}

/** Details where the parser's message says too little. */
const PARSER_DETAIL: Readonly<Record<number, string>> = {
  431: 'its headers are larger than 16 KiB',
  408: 'it took too long to arrive',
}

/** Node's parser quotes nothing of the request: "Parse Error: Invalid method encountered". */
const PARSER_MESSAGE = /^Parse Error: (.+)/

/** The open connections of each server; Node only counts them. */
const connections = new WeakMap<Server, Set<Socket>>()

export function createHttpServer(app: Express, limits: ReaderLimits = {}): Server {
  const pipelines = new Pipelines()
  const options = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
    // The app itself refuses a request without a host, in the common form.
    requireHostHeader: false,
    // Rejects two hosts or credentials, of which Node would take the first by default.
    joinDuplicateHeaders: true,
  }
  const server = createExpressServer(app, options, pipelines)
  const open = new Set<Socket>()
  connections.set(server, open)
  server.on('connection', (socket) => {
    open.add(socket)
    socket.on('close', () => {
      open.delete(socket)
      pipelines.leave(socket)
    })
  })
  // Watches connections, because every response may be large.
  const slowReaders = new SlowReaders(open, limits)
  server.on('close', () => slowReaders.close())
  const refuse = (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    // A second response to the same request would be read as part of the first.
    socket.end(pipelines.isAnswering(socket) ? '' : answerTo(error))
    closeSoon(socket)
  }
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const upload = error.code === TOO_SLOW ? uploadOn(socket) : undefined
    if (!upload) return refuse(error, socket)
    // Node looks at a request only once.
    setTimeout(() => uploadOn(socket) === upload && refuse(error, socket), UPLOAD_MS - REQUEST_MS).unref()
  })
  return server
}

/** Returns the response to a request that is not HTTP, in the common form. */
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

/** Accepts no more connections, lets requests in flight finish, and closes the rest at the deadline. */
export function closeGracefully(server: Server, deadlineMs: number): Promise<void> {
  return new Promise((resolve) => {
    // Connections that become idle would otherwise be kept alive for a minute.
    const sweep = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_INTERVAL_MS)
    // Browsers connect in advance; Node does not count connections without a request as idle.
    for (const socket of connections.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy()
    const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs)
    server.close(() => {
      clearInterval(sweep)
      clearTimeout(deadline)
      resolve()
    })
  })
}
