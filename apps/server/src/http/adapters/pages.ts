import type { Services } from '@collab-spaces/api'
import { isOfStandby } from '@collab-spaces/db'
import { diskFull, noServerKey, notPrimary, stopping } from '@collab-spaces/domain'
import { type RequestHandler, Router } from 'express'
import { docsBundle, docsPage, docsScript, docsStyles, icon, openApi, openApi30 } from '../docs.js'
import { only } from '../errors.js'
import { sendBody, sendJson } from '../write.js'

export interface PageOptions {
  readonly services: Services
  readonly publicUrl: () => string
  readonly isStopping: () => boolean
}

/** Public routes besides the API, the same for all clients. */
export function pages({ services, publicUrl, isStopping }: PageOptions): Router {
  const router = Router({ caseSensitive: true, strict: true })
  router.route('/health').get(health).all(readOnly)
  router.route('/ready').get(ready(services, isStopping)).all(readOnly)
  router.route('/log/keys').get(logKeys(services)).all(readOnly)
  router.route('/openapi.json').get(openApi(publicUrl)).all(readOnly)
  router.route('/openapi-3.0.json').get(openApi30(publicUrl)).all(readOnly)
  router.route('/favicon.svg').get(icon).all(readOnly)
  router.route('/docs').get(docsPage).all(readOnly)
  router.route('/docs/').get(toDocs).all(readOnly)
  router.route('/docs/page.js').get(docsScript).all(readOnly)
  router.route('/docs/swagger-ui.css').get(docsStyles).all(readOnly)
  router.route('/docs/swagger-ui-bundle.js').get(docsBundle).all(readOnly)
  return router
}

const readOnly = only('GET, HEAD')

const toDocs: RequestHandler = (_request, response) => {
  response.writeHead(308, { Location: '/docs' })
  response.end()
}

const health: RequestHandler = (_request, response) => sendJson(response, 200, '{"status":"ok"}')

/**
 * Readiness for load balancers. Ready even with an almost full disk, as reads continue and other instances share it.
 */
function ready({ database, isDiskLow }: Services, isStopping: () => boolean): RequestHandler {
  const look = onceASecond(() => database.ping())
  return async (_request, response) => {
    if (isStopping()) throw stopping()
    await look().catch((error) => {
      throw isOfStandby(error) ? notPrimary() : error
    })
    sendJson(response, 200, isDiskLow() ? READY_TO_READ : READY)
  }
}

const READY = JSON.stringify({ status: 'ready' })
const READY_TO_READ = JSON.stringify({ status: 'ready', writes: 'refused', reason: diskFull().detail })

/** Serves the public key of checkpoints in the form that verifiers take. */
function logKeys({ signer }: Services): RequestHandler {
  return (_request, response) => {
    if (!signer) throw noServerKey('Checkpoints')
    sendBody(response, 200, 'text/plain; charset=utf-8', `${signer.key}\n`)
  }
}

/** Shares the outcome of a probe for a second. */
function onceASecond(look: () => Promise<void>): () => Promise<void> {
  let latest = { at: Number.NEGATIVE_INFINITY, outcome: Promise.resolve() }
  return () => {
    const now = performance.now()
    if (now - latest.at >= 1_000) latest = { at: now, outcome: look() }
    return latest.outcome
  }
}
