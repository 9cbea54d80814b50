import { readdirSync } from 'node:fs'
import { openApiDocument } from '@collab-spaces/api'
import express, { Router } from 'express'
import { absolutePath } from 'swagger-ui-dist'
import { onlyGet } from './errors.js'

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Collaboration Spaces API</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="page"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/page.js"></script>
  </body>
</html>
`

const SCRIPT = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#page', persistAuthorization: true })
`

/** The document of the API, and a page to read and try it. */
export function docs(publicUrl: () => string): Router {
  const router = Router({ caseSensitive: true, strict: true })
  let document: string | undefined
  router
    .route('/openapi.json')
    .get((_request, response) => {
      document ??= JSON.stringify(openApiDocument(publicUrl()))
      response.type('json').send(document)
    })
    .all(onlyGet)
  router
    .route('/docs')
    .get((_request, response) => {
      response.type('html').send(PAGE)
    })
    .all(onlyGet)
  router
    .route('/docs/page.js')
    .get((_request, response) => {
      response.type('js').send(SCRIPT)
    })
    .all(onlyGet)
  router
    .route(readdirSync(absolutePath()).map((file) => `/docs/${file}`))
    .get((_request, _response, next) => next('route'))
    .all(onlyGet)
  router.use('/docs', express.static(absolutePath(), { index: false, etag: false, cacheControl: false }))
  return router
}
