import { randomUUID } from 'node:crypto'
import type { Request, RequestHandler, Response } from 'express'
import type { Logger } from 'pino'
import type { Metrics } from '../metrics.js'
import { clientAddress } from './address.js'
import { hideCredentials } from './hide.js'

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/

/** Sets the ID of a request and the header with it. */
export const requestId: RequestHandler = (request, response, next) => {
  const given = request.headers['x-request-id']
  request.id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
  response.commonHeaders.push('X-Request-Id', request.id)
  next()
}

/** Logs one line per request, at its end. A 503 of `/ready` during a drain is not a failure. */
export const logRequests =
  (log: Logger, trustedProxies: number, isStopping: () => boolean): RequestHandler =>
  (request, response, next) => {
    const isTold = isStopping() && request.target.path === '/ready'
    // A closed connection no longer has it.
    const address = clientAddress(request, trustedProxies)
    response.on('close', () => logRequest(log, request, response, address, isTold))
    next()
  }

/** The paths that load balancers request every few seconds. */
const PROBES = new Set(['/health', '/ready'])

/** Long polls without a result are logged at debug level: agents repeat them each minute. */
function levelOf({ isLasting, target }: Request, status: number, isTold: boolean): 'error' | 'info' | 'debug' {
  if (status >= 500 && !isTold) return 'error'
  return isTold || ((isLasting || PROBES.has(target.path)) && status < 400) ? 'debug' : 'info'
}

/** As proxies log a client that went before its answer. */
const CLIENT_GONE = 499

const statusOf = ({ headersSent, statusCode }: Response) => (headersSent ? statusCode : CLIENT_GONE)

/** Logs no headers, body or query, which may hold a credential. */
function logRequest(log: Logger, request: Request, response: Response, address: string, isTold: boolean): void {
  const { id, method, target, caller, begunAt } = request
  const status = statusOf(response)
  const level = levelOf(request, status, isTold)
  if (!log.isLevelEnabled(level)) return
  const line = {
    reqId: id,
    address,
    req: { method, path: hideCredentials(target.path) },
    ...(caller && { actorId: caller.actorId, credentialId: caller.credentialId }),
    res: { status },
    responseTime: Math.round(performance.now() - begunAt),
  }
  log[level](line, level === 'error' ? 'request failed' : 'request')
}

/** Counts requests at their end, by operation and outcome. */
export const countRequests =
  (metrics: Metrics): RequestHandler =>
  (request, response, next) => {
    response.on('close', () => {
      const { operation, begunAt, isLasting } = request
      if (operation === null) return
      metrics.count({ operation, status: statusOf(response), isLasting }, performance.now() - begunAt)
    })
    next()
  }
