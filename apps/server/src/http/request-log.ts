import type { Request, RequestHandler, Response } from 'express'
import type { Logger } from 'pino'
import { hideCredentials } from './hide.js'

/** One line a request, once it is over. */
export const logRequests =
  (log: Logger): RequestHandler =>
  (request, response, next) => {
    response.once('close', () => logRequest(log, request, response))
    next()
  }

/** No header, no body, and of the URL only its path, as the query may hold a credential; of that, only its id. */
function logRequest(log: Logger, { id, method, target, caller, begunAt }: Request, { statusCode }: Response): void {
  const level = statusCode >= 500 ? 'error' : 'info'
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
