import type { Services } from '@collab-spaces/api'
import { isOfStandby } from '@collab-spaces/db'
import { diskFull, noServerKey, notPrimary, stopping } from '@collab-spaces/domain'
import { type RequestHandler, Router } from 'express'
import { docsBundle, docsPage, docsScript, docsStyles, icon, openApi } from '../docs.js'
import { only } from '../errors.js'
import { sendBody, sendJson } from '../write.js'

export interface PageOptions {
  readonly services: Services
  readonly publicUrl: () => string
  readonly isStopping: () => boolean
}

/** Pages that are not the API, the same for everybody. */
export function pages({ services, publicUrl, isStopping }: PageOptions): Router {
  const router = Router({ caseSensitive: true, strict: true })
  router.route('/health').get(health).all(readOnly)
  router.route('/ready').get(ready(services, isStopping)).all(readOnly)
  router.route('/log/keys').get(logKeys(services)).all(readOnly)
  router.route('/openapi.json').get(openApi(publicUrl)).all(readOnly)
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
 * For load balancers. With an almost full disk it is ready all the same: another server would write to the same disk, and
 * reads go on.
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

/** The public key that checkpoints are signed with, as verifiers take it. */
function logKeys({ signer }: Services): RequestHandler {
  return (_request, response) => {
    if (!signer) throw noServerKey('Checkpoints')
    sendBody(response, 200, 'text/plain; charset=utf-8', `${signer.key}\n`)
  }
}

/** However many ask, there is one look a second, and its outcome is everybody's. */
function onceASecond(look: () => Promise<void>): () => Promise<void> {
  let latest = { at: Number.NEGATIVE_INFINITY, outcome: Promise.resolve() }
  return () => {
    const now = performance.now()
    if (now - latest.at >= 1_000) latest = { at: now, outcome: look() }
    return latest.outcome
  }
}
