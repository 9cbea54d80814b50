import type { Services } from '@collab-spaces/api'
import { stopping } from '@collab-spaces/domain'
import { type RequestHandler, Router } from 'express'
import { docsBundle, docsPage, docsScript, docsStyles, openApi } from '../docs.js'
import { MethodNotAllowed } from '../errors.js'
import { sendJson } from '../write.js'

export interface PageOptions {
  readonly services: Services
  readonly publicUrl: () => string
  readonly isStopping: () => boolean
}

/** What is not the API, the same for everybody. */
export function pages({ services, publicUrl, isStopping }: PageOptions): Router {
  const router = Router({ caseSensitive: true, strict: true })
  router.route('/health').get(health).all(readOnly)
  router.route('/ready').get(ready(services, isStopping)).all(readOnly)
  router.route('/openapi.json').get(openApi(publicUrl)).all(readOnly)
  router.route('/docs').get(docsPage).all(readOnly)
  router.route('/docs/page.js').get(docsScript).all(readOnly)
  router.route('/docs/swagger-ui.css').get(docsStyles).all(readOnly)
  router.route('/docs/swagger-ui-bundle.js').get(docsBundle).all(readOnly)
  return router
}

const readOnly: RequestHandler = () => {
  throw new MethodNotAllowed('GET, HEAD')
}

const health: RequestHandler = (_request, response) => sendJson(response, 200, '{"status":"ok"}')

const ready =
  ({ database }: Services, isStopping: () => boolean): RequestHandler =>
  async (_request, response) => {
    if (isStopping()) throw stopping()
    await database.ping()
    sendJson(response, 200, '{"status":"ready"}')
  }
