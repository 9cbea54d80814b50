import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/

/** Gives a request its id, and the answer the header that tells it. */
export const requestId: RequestHandler = (request, response, next) => {
  const given = request.headers['x-request-id']
  request.id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
  response.commonHeaders.push('X-Request-Id', request.id)
  next()
}
