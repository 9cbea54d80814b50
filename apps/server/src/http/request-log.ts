import { randomUUID } from 'node:crypto'
import type { Request, RequestHandler, Response } from 'express'
import type { Logger } from 'pino'
import type { Metrics } from '../metrics.js'
import { clientAddress } from './address.js'
import { hideCredentials } from './hide.js'

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/

/** Gives a request its id, and the answer the header that tells it. */
export const requestId: RequestHandler = (request, response, next) => {
  const given = request.headers['x-request-id']
  request.id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
  response.commonHeaders.push('X-Request-Id', request.id)
  next()
}

/** One line a request, once it is over. A server that drains tells those who look at `/ready` so: no failure. */
export const logRequests =
  (log: Logger, trustedProxies: number, isStopping: () => boolean): RequestHandler =>
  (request, response, next) => {
    const isTold = isStopping() && request.target.path === '/ready'
    // A connection that is gone no longer knows it.
    const address = clientAddress(request, trustedProxies)
    response.once('close', () => logRequest(log, request, response, address, isTold))
    next()
  }

/** What load balancers ask every few seconds. */
const PROBES = new Set(['/health', '/ready'])

/** Agents that wait ask again each minute, day and night: a line for each would be most of the log, and say nothing. */
function levelOf({ isLasting, target }: Request, status: number, isTold: boolean): 'error' | 'info' | 'debug' {
  if (status >= 500 && !isTold) return 'error'
  return isTold || ((isLasting || PROBES.has(target.path)) && status < 400) ? 'debug' : 'info'
}

/** No header, no body, and of the URL only its path, as the query may hold a credential; of that, only its id. */
function logRequest(log: Logger, request: Request, { statusCode }: Response, address: string, isTold: boolean): void {
  const { id, method, target, caller, begunAt } = request
  const level = levelOf(request, statusCode, isTold)
  if (!log.isLevelEnabled(level)) return
  const line = {
    reqId: id,
    address,
    req: { method, path: hideCredentials(target.path) },
    ...(caller && { actorId: caller.actorId, credentialId: caller.credentialId }),
    res: { status: statusCode },
    responseTime: Math.round(performance.now() - begunAt),
  }
  log[level](line, level === 'error' ? 'request failed' : 'request')
}

/** Counts requests once they are over, by what they turned out to be. */
export const countRequests =
  (metrics: Metrics): RequestHandler =>
  (request, response, next) => {
    response.once('close', () => {
      const { operation, begunAt, isLasting } = request
      if (operation === null) return
      metrics.count({ operation, status: response.statusCode, isLasting }, performance.now() - begunAt)
    })
    next()
  }
