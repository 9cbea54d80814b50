import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/

const ids = new WeakMap<ServerResponse, string>()

/** Gives a request its id, the caller's own when it sent a proper one, and answers with it. */
export function identify(request: IncomingMessage, response: ServerResponse): string {
  const given = request.headers['x-request-id']
  const id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
  ids.set(response, id)
  response.setHeader('X-Request-Id', id)
  return id
}

export const requestIdOf = (response: ServerResponse): string => ids.get(response) ?? ''
