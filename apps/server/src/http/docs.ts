import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { RequestHandler } from 'express'
// The package's entry would load the whole page into this process.
import swaggerUiDirectory from 'swagger-ui-dist/absolute-path.js'
import { without } from './headers.js'
import { JSON_TYPE, sendBody, sendFile } from './write.js'

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Collaboration Spaces API</title>
    <link rel="icon" href="/favicon.svg">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="page"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/page.js"></script>
  </body>
</html>
`

/** A typed key is not stored. */
const SCRIPT = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#page', persistAuthorization: false, tryItOutEnabled: true })
`

const HTML = 'text/html; charset=utf-8'
const CSS = 'text/css; charset=utf-8'
const JAVASCRIPT = 'text/javascript; charset=utf-8'
const SVG = 'image/svg+xml'

/** Loads the generator only for its documents. */
const generator = () => import('@collab-spaces/api/openapi')

export const openApi = (publicUrl: () => string): RequestHandler =>
  onceMade(async () => (await generator()).openApiDocument(publicUrl()))

export const openApi30 = (publicUrl: () => string): RequestHandler =>
  onceMade(async () => (await generator()).openApi30Document(publicUrl()))

/** Serves a document that is made at the first request and then kept. */
function onceMade(make: () => Promise<object>): RequestHandler {
  let document: Buffer | undefined
  return async (_request, response) => {
    document ??= Buffer.from(JSON.stringify(await make()))
    sendFile(response, JSON_TYPE, document)
  }
}

/** Each tab requests the icon, which rarely changes. */
const FOR_A_DAY = ['Cache-Control', 'public, max-age=86400']

/** The icon from its source, which exists even where the page was not built. */
export const icon: RequestHandler = onceRead(
  SVG,
  () =>
    join(dirname(createRequire(import.meta.url).resolve('@collab-spaces/web/package.json')), 'public', 'favicon.svg'),
  FOR_A_DAY,
)

/** The page that shows the document and tries requests. */
export const docsPage: RequestHandler = (_request, response) => sendBody(response, 200, HTML, PAGE)

export const docsScript: RequestHandler = (_request, response) => sendBody(response, 200, JAVASCRIPT, SCRIPT)

export const docsStyles: RequestHandler = swaggerUi('swagger-ui.css', CSS)

export const docsBundle: RequestHandler = swaggerUi('swagger-ui-bundle.js', JAVASCRIPT)

/** Serves a file of the page. */
function swaggerUi(file: string, contentType: string): RequestHandler {
  return onceRead(contentType, () => join(swaggerUiDirectory(), file))
}

/** Serves a file that is read at the first request and then kept. */
function onceRead(contentType: string, path: () => string, headers: readonly string[] = []): RequestHandler {
  let content: Buffer | undefined
  return (_request, response) => {
    content ??= readFileSync(path())
    response.commonHeaders = without(response.commonHeaders, headers)
    sendFile(response, contentType, content, headers)
  }
}
