import type { RequestHandler } from 'express'
import helmet from 'helmet'

/** For pages: nothing from elsewhere. The page at /docs writes styles of its own. */
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

/** Security headers. `secure` when the service is reached by https, which alone may ask browsers to stay with it. */
export function securityHeaders(secure: boolean): RequestHandler {
  return helmet({
    contentSecurityPolicy,
    strictTransportSecurity: secure,
    // The API is there to be called from pages of any origin.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    referrerPolicy: { policy: 'no-referrer' },
  })
}

const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'Last-Event-ID',
  'X-Force-Rotate',
  'X-Installation-Id',
  'X-Request-Id',
  'trpc-accept',
].join(', ')

/** Any origin may call, as no cookie speaks for a browser's user; answers are nobody's to keep. */
export const openToAnyOrigin: RequestHandler = (request, response, next) => {
  response.setHeader('Access-Control-Allow-Origin', '*')
  response.setHeader('Cache-Control', 'no-store')
  if (request.method !== 'OPTIONS') {
    response.setHeader('Access-Control-Expose-Headers', 'X-Request-Id, Retry-After')
    next()
    return
  }
  response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE')
  response.setHeader('Access-Control-Allow-Headers', ALLOWED_HEADERS)
  response.setHeader('Access-Control-Max-Age', '86400')
  response.writeHead(204).end()
}
