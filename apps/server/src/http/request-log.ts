import type { Logger } from 'pino'
import type { Exchange } from './exchange.js'

/** What looks like a credential, which somebody has put where an id belongs. */
const CREDENTIAL = /(svc_|inv_code_)\w+/g

/** One line a request: no header, no body, and of the URL only its path, as the query may hold a credential. */
export function logRequest(log: Logger, { id, request, response, path, elapsed }: Exchange): void {
  const level = response.statusCode >= 500 ? 'error' : 'info'
  if (!log.isLevelEnabled(level)) return
  const line = {
    reqId: id,
    req: { method: request.method, path: path.replace(CREDENTIAL, '$1…') },
    res: { status: response.statusCode },
    responseTime: Math.round(elapsed),
  }
  log[level](line, level === 'error' ? 'request failed' : 'request')
}
