import { refusalOf, statusOf } from '@collab-spaces/api'
import { DomainError, RetryLater } from '@collab-spaces/domain'
import type { ErrorRequestHandler, RequestHandler, Response } from 'express'
import type { Logger } from 'pino'
import { Misdirected } from './host.js'
import { sendJson } from './write.js'

/** A path that is known, asked with a method that is not. */
export class MethodNotAllowed extends Error {
  constructor(readonly allow: string) {
    super('Method not allowed')
  }
}

/** Refuses whatever comes to a path with another method than its own. */
export const only =
  (methods: string): RequestHandler =>
  () => {
    throw new MethodNotAllowed(methods)
  }

/** The cause goes to the log, with the request's id to find it by, and never to the caller. */
export type ReportFault = (error: unknown, requestId: string) => void

export const reportTo =
  (log: Logger): ReportFault =>
  (error, requestId) =>
    log.error({ err: error, requestId }, 'a request failed')

/** Answers when nothing before has the path. */
export const notFound: RequestHandler = () => {
  throw new DomainError('unknown', 'Path not found: see /docs')
}

/** The one place that answers with an error. */
export const answerErrors =
  (report: ReportFault): ErrorRequestHandler =>
  // Express knows an error handler by its four parameters.
  (error, _request, response, _next) =>
    refuse(response, error, report)

export function refuse(response: Response, error: unknown, report: ReportFault): void {
  const { id } = response.req
  if (response.headersSent) {
    // Part of the answer is out already: cutting it off is the only way to say that it is not whole.
    if (!(error instanceof DomainError)) report(error, id)
    response.destroy()
    return
  }
  const { status, body, headers } = answerTo(error, id, report, response.challenge)
  sendJson(response, status, JSON.stringify(body), headers)
}

/** An error as a caller gets it. */
export interface ErrorAnswer {
  readonly status: number
  readonly body: { readonly detail: string; readonly [field: string]: string }
  readonly headers?: readonly string[]
}

/** The refusal that a caller gets for an error. A fault of ours is reported, and told only by its request's id. */
export function answerTo(error: unknown, requestId: string, report: ReportFault, challenge = 'Bearer'): ErrorAnswer {
  if (error instanceof MethodNotAllowed) {
    const body = { detail: `Method not allowed here; allowed: ${error.allow}` }
    return { status: 405, body, headers: ['Allow', error.allow] }
  }
  if (error instanceof Misdirected) return { status: 421, body: { detail: error.message } }
  const refused = refusalOf(error)
  if (!refused) {
    report(error, requestId)
    return { status: 500, body: { detail: 'Internal server error', request_id: requestId } }
  }
  const status = statusOf(refused)
  const body = { detail: refused.detail, ...refused.fields, ...(status >= 500 && { request_id: requestId }) }
  // A refusal of our own has no cause that the log could tell.
  if (status >= 500 && error !== refused) report(error, requestId)
  return { status, body, headers: Object.entries(headersOf([refused], challenge)).flat() }
}

/** The headers of an answer with errors. Of several, the one that has to wait longest says when. */
export function headersOf(errors: readonly DomainError[], challenge = 'Bearer'): Record<string, string> {
  const waits = errors.flatMap((error) => (error instanceof RetryLater ? error.retryAfterSeconds : []))
  return {
    ...(waits.length > 0 && { 'Retry-After': String(Math.max(...waits)) }),
    ...(errors.some(({ kind }) => kind === 'unauthenticated') && { 'WWW-Authenticate': challenge }),
  }
}
