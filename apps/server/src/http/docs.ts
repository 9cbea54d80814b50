import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
// The package's entry would load the whole page into this process.
import swaggerUiDirectory from 'swagger-ui-dist/absolute-path.js'
import type { Pages } from './adapters/pages.js'

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

const JSON_TYPE = 'application/json; charset=utf-8'
const HTML = 'text/html; charset=utf-8'
const CSS = 'text/css; charset=utf-8'
const JAVASCRIPT = 'text/javascript; charset=utf-8'

/** The document of the API, and a page to read and try it. */
export function documentation(publicUrl: () => string): Pages {
  let document: string | undefined
  const swaggerUi = (file: string, contentType: string) => async () => ({
    contentType,
    body: await readFile(join(swaggerUiDirectory(), file)),
  })
  return {
    '/openapi.json': async () => {
      // Only who asks for the document pays for what makes it.
      const { openApiDocument } = await import('@collab-spaces/api/openapi')
      document ??= JSON.stringify(openApiDocument(publicUrl()))
      return { contentType: JSON_TYPE, body: document }
    },
    '/docs': () => ({ contentType: HTML, body: PAGE }),
    '/docs/page.js': () => ({ contentType: JAVASCRIPT, body: SCRIPT }),
    '/docs/swagger-ui.css': swaggerUi('swagger-ui.css', CSS),
    '/docs/swagger-ui-bundle.js': swaggerUi('swagger-ui-bundle.js', JAVASCRIPT),
  }
}
