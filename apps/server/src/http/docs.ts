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

/** A key that is typed in is gone with the page. */
const SCRIPT = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#page', persistAuthorization: false, tryItOutEnabled: true })
`

const HTML = 'text/html; charset=utf-8'
const CSS = 'text/css; charset=utf-8'
const JAVASCRIPT = 'text/javascript; charset=utf-8'
const SVG = 'image/svg+xml'

/** The document of the API. */
export function openApi(publicUrl: () => string): RequestHandler {
  let document: Buffer | undefined
  return async (_request, response) => {
    // Only who asks for the document pays for what makes it.
    const { openApiDocument } = await import('@collab-spaces/api/openapi')
    document ??= Buffer.from(JSON.stringify(openApiDocument(publicUrl())))
    sendFile(response, JSON_TYPE, document)
  }
}

/** Each tab asks for the icon, which hardly ever changes. */
const FOR_A_DAY = ['Cache-Control', 'public, max-age=86400']

/** The icon of our pages, as its source has it: it is there even where the page for people was not built. */
export const icon: RequestHandler = onceRead(
  SVG,
  () =>
    join(dirname(createRequire(import.meta.url).resolve('@collab-spaces/web/package.json')), 'public', 'favicon.svg'),
  FOR_A_DAY,
)

/** A page to read the document and try it. */
export const docsPage: RequestHandler = (_request, response) => sendBody(response, 200, HTML, PAGE)

export const docsScript: RequestHandler = (_request, response) => sendBody(response, 200, JAVASCRIPT, SCRIPT)

export const docsStyles: RequestHandler = swaggerUi('swagger-ui.css', CSS)

export const docsBundle: RequestHandler = swaggerUi('swagger-ui-bundle.js', JAVASCRIPT)

/** A file that the page loads. */
function swaggerUi(file: string, contentType: string): RequestHandler {
  return onceRead(contentType, () => join(swaggerUiDirectory(), file))
}

/** A file that is read when it is first asked for, and then shared by all who ask. */
function onceRead(contentType: string, path: () => string, headers: readonly string[] = []): RequestHandler {
  let content: Buffer | undefined
  return (_request, response) => {
    content ??= readFileSync(path())
    response.commonHeaders = without(response.commonHeaders, headers)
    sendFile(response, contentType, content, headers)
  }
}
