import type { Request, RequestHandler, Response } from 'express'
import type { Logger } from 'pino'
import { hideCredentials } from './hide.js'

/** One line a request, once it is over. A server that drains tells those who look at `/ready` so: no failure. */
export const logRequests =
  (log: Logger, isStopping: () => boolean): RequestHandler =>
  (request, response, next) => {
    const isTold = isStopping() && request.target.path === '/ready'
    response.once('close', () => logRequest(log, request, response, isTold))
    next()
  }

/** Agents that wait ask again each minute, day and night: a line for each would be most of the log, and say nothing. */
function levelOf({ isLasting }: Request, status: number, isTold: boolean): 'error' | 'info' | 'debug' {
  if (status >= 500 && !isTold) return 'error'
  return isLasting && status < 400 ? 'debug' : 'info'
}

/** No header, no body, and of the URL only its path, as the query may hold a credential; of that, only its id. */
function logRequest(log: Logger, request: Request, { statusCode }: Response, isTold: boolean): void {
  const { id, method, target, caller, begunAt } = request
  const level = levelOf(request, statusCode, isTold)
  if (!log.isLevelEnabled(level)) return
  const line = {
    reqId: id,
    req: { method, path: hideCredentials(target.path) },
    ...(caller && { actorId: caller.actorId, credentialId: caller.credentialId }),
    res: { status: statusCode },
    responseTime: Math.round(performance.now() - begunAt),
  }
  log[level](line, level === 'error' ? 'request failed' : 'request')
}
