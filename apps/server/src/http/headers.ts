import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Request, RequestHandler, Response } from 'express'
import helmet from 'helmet'
import { hasTokenInQuery } from './target.js'

/** Pages load resources of this origin only. The page at /docs has inline styles. */
const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'self'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:'],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  },
}

/**
 * Sets the headers of every response. `secure` if clients use https, which adds Strict-Transport-Security.
 */
export function commonHeaders(secure: boolean): RequestHandler {
  const headers = [
    ...securityHeaders(secure),
    // Any origin may call, as no cookie authenticates a browser.
    ...['Access-Control-Allow-Origin', '*'],
    ...[
      'Access-Control-Expose-Headers',
      'X-Request-Id, Retry-After, WWW-Authenticate, Content-Disposition, Content-Range, ETag',
    ],
    // Responses must not be cached.
    ...['Cache-Control', 'no-store'],
  ]
  return (_request, response, next) => {
    response.commonHeaders.push(...headers)
    next()
  }
}

/** Returns helmet's headers, which are the same for every response and so computed once. */
function securityHeaders(secure: boolean): readonly string[] {
  const headers: string[] = []
  const recorder = { setHeader: (name: string, value: string) => headers.push(name, value), removeHeader: () => {} }
  const applyHelmet = helmet({
    contentSecurityPolicy,
    strictTransportSecurity: secure,
    // Pages of any origin may call the API.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    referrerPolicy: { policy: 'no-referrer' },
  })
  applyHelmet({} as IncomingMessage, recorder as unknown as ServerResponse, () => {})
  return headers
}

/** RFC 9745: the date since when writes with a credential in the query are deprecated, and its documentation. */
const DEPRECATION = ['Deprecation', '@1795478400', 'Link', '</docs>; rel="deprecation"; type="text/html"'] as const

/**
 * Marks writes with a credential in the query as deprecated, since URLs end up in logs. Reads may still carry it there, as
 * browsers cannot set a header for a stream, an image or a download.
 */
export function warnOfToken(request: Request, response: Response): void {
  if (hasTokenInQuery(request.headers.authorization, request.target.query)) response.commonHeaders.push(...DEPRECATION)
}

const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Digest',
  'Content-Type',
  'Digest',
  'Idempotency-Key',
  'If-None-Match',
  'If-Range',
  'Last-Event-ID',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Protocol-Version',
  'Range',
  'Repr-Digest',
  'X-Force-Rotate',
  'X-Installation-Id',
  'X-Request-Id',
  'trpc-accept',
].join(', ')

/** The methods and headers that a page of another origin may send. */
const PREFLIGHT: readonly string[] = [
  ...['Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE'],
  ...['Access-Control-Allow-Headers', ALLOWED_HEADERS],
  ...['Access-Control-Max-Age', '86400'],
]

/** Answers OPTIONS, the same for every path. */
export const preflight: RequestHandler = (request, response, next) => {
  if (request.method !== 'OPTIONS') return next()
  response.begin(204, PREFLIGHT)
  response.end()
}

/** Returns a list of names and values in turn, without the headers that `replacements` names. */
export function without(headers: readonly string[], replacements: readonly string[]): string[] {
  const names = new Set(replacements.filter((_, index) => index % 2 === 0))
  return headers.filter((_, index) => !names.has(headers[index - (index % 2)] as string))
}
