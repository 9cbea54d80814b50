import type { ServerResponse } from 'node:http'
import { refusalOf, statusOf } from '@collab-spaces/api'
import type { RequestHandler } from 'express'
import type { Logger } from 'pino'

/** A path that is known, asked with a method that is not. */
export class MethodNotAllowed extends Error {
  constructor(readonly allow: string) {
    super('Method not allowed')
  }
}

/** The last handler of a path that is only read. */
export const onlyGet: RequestHandler = (_request, _response, next) => next(new MethodNotAllowed('GET, HEAD'))

/** The cause goes to the log, with the request's id to find it by, and never to the caller. */
export type ReportFault = (error: unknown, requestId: string) => void

export const reportTo =
  (log: Logger): ReportFault =>
  (error, requestId) =>
    log.error({ err: error, requestId }, 'a request failed')

/** The one place that answers with an error. */
export function sendError(response: ServerResponse, error: unknown, requestId: string, report: ReportFault): void {
  if (response.headersSent) {
    // Part of the answer is out already: cutting it off is the only way to say that it is not whole.
    report(error, requestId)
    response.destroy()
    return
  }
  const { status, body } = answerTo(error, requestId, response, report)
  sendJson(response, status, JSON.stringify(body))
}

function answerTo(error: unknown, requestId: string, response: ServerResponse, report: ReportFault) {
  if (error instanceof MethodNotAllowed) {
    response.setHeader('Allow', error.allow)
    return { status: 405, body: { detail: `Method not allowed here; allowed: ${error.allow}` } }
  }
  const refused = refusalOf(error)
  if (!refused) {
    report(error, requestId)
    return { status: 500, body: { detail: 'Internal server error', request_id: requestId } }
  }
  const body = { detail: refused.detail, ...refused.fields }
  if (refused.kind !== 'unavailable') return { status: statusOf(refused), body }
  report(error, requestId)
  response.setHeader('Retry-After', '1')
  return { status: 503, body: { ...body, request_id: requestId } }
}

/** Sends a whole JSON text. Node leaves the body out of the answer to HEAD by itself. */
export function sendJson(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.setHeader('Content-Length', Buffer.byteLength(text))
  response.end(text)
}
