import { refusalOf, statusOf } from '@collab-spaces/api'
import { DomainError, invalid, RetryLater } from '@collab-spaces/domain'
import type { ErrorRequestHandler, RequestHandler, Response } from 'express'
import type { Logger } from 'pino'
import { MisdirectedError } from './host.js'
import { sendJson } from './write.js'

/** A request with a method that its path does not have. */
export class MethodNotAllowed extends Error {
  constructor(readonly allow: string) {
    super('Method not allowed')
  }
}

/** A request for a part of a file beyond its end. */
export class RangeNotSatisfiable extends Error {
  constructor(readonly size: number) {
    super('The requested part is beyond the end of the file')
  }
}

/** Refuses other methods than that of a path. */
export const only =
  (methods: string): RequestHandler =>
  () => {
    throw new MethodNotAllowed(methods)
  }

/** Logs the cause with the request's ID. It is never sent to the caller. */
export type ReportFault = (error: unknown, requestId: string) => void

export const reportTo =
  (log: Logger): ReportFault =>
  (error, requestId) =>
    log.error({ err: error, requestId }, 'a request failed')

/** Answers paths that no route has. */
export const notFound: RequestHandler = () => {
  throw new DomainError('unknown', 'Path not found: see /docs')
}

/** Sends errors: the only function that does. */
export const answerErrors =
  (report: ReportFault): ErrorRequestHandler =>
  // Express knows an error handler by its four parameters.
  (error, _request, response, _next) =>
    refuse(response, error, report)

export function refuse(response: Response, error: unknown, report: ReportFault): void {
  const { id } = response.req
  if (response.headersSent) {
    // Part of the response was sent: aborting is the only way to mark it as incomplete.
    if (!(error instanceof DomainError)) report(error, id)
    response.destroy()
    return
  }
  const { status, body, headers } = answerTo(error, id, report, response.challenge)
  sendJson(response, status, JSON.stringify(body), headers)
}

/** An error as the caller receives it. */
export interface ErrorAnswer {
  readonly status: number
  readonly body: { readonly detail: string; readonly [field: string]: string }
  readonly headers?: readonly string[]
}

/** Returns the response to an error. An internal fault is logged and named only by its request's ID. */
export function answerTo(error: unknown, requestId: string, report: ReportFault, challenge = 'Bearer'): ErrorAnswer {
  if (error instanceof MethodNotAllowed) {
    const body = { detail: `Method not allowed here; allowed: ${error.allow}` }
    return { status: 405, body, headers: ['Allow', error.allow] }
  }
  if (error instanceof RangeNotSatisfiable) {
    const body = { detail: `Range: must begin before the end of the file, which has ${error.size} bytes` }
    return { status: 416, body, headers: ['Content-Range', `bytes */${error.size}`] }
  }
  if (error instanceof MisdirectedError) return { status: 421, body: { detail: error.message } }
  // Of Express's router, which decodes the parameters of a path.
  const refused = error instanceof URIError ? invalid('path', 'is not valid percent-encoding') : refusalOf(error)
  if (!refused) {
    report(error, requestId)
    return { status: 500, body: { detail: 'Internal server error', request_id: requestId } }
  }
  const status = statusOf(refused)
  const body = { detail: refused.detail, ...refused.fields, ...(status >= 500 && { request_id: requestId }) }
  // A refusal has no cause to log.
  if (status >= 500 && error !== refused) report(error, requestId)
  return { status, body, headers: Object.entries(headersOf([refused], challenge)).flat() }
}

/** Returns the headers of a response with errors. The longest `Retry-After` wins. */
export function headersOf(errors: readonly DomainError[], challenge = 'Bearer'): Record<string, string> {
  const waits = errors.flatMap((error) => (error instanceof RetryLater ? error.retryAfterSeconds : []))
  return {
    ...(waits.length > 0 && { 'Retry-After': String(Math.max(...waits)) }),
    ...(errors.some(({ kind }) => kind === 'unauthenticated') && { 'WWW-Authenticate': challenge }),
  }
}
