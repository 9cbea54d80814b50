import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { firstView } from './first-view.js'
import { precompress } from './precompress.js'

/** The API server of the development server. */
const SERVER = 'http://127.0.0.1:8080'

/** What the entry imports once the texts are loaded. */
const APP = 'src/app/start.tsx'

const languageOf = (id: string) => /\/src\/languages\/(\w+)\//.exec(id)?.[1]

export default defineConfig({
  plugins: [react(), firstView(APP), precompress()],
  build: {
    // Browsers with `light-dark()` and `dialog`, which all of them have supported since 2024.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Inlined images and fonts would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Browsers load six files at a time: dozens of small ones would delay the page's API requests.
    rolldownOptions: {
      input: ['index.html', APP],
      output: {
        codeSplitting: {
          groups: [
            // The entry loads the texts of one language, and neither waits for the app.
            { name: 'entry', test: /\/src\/(?:main|languages\/\w+)\.ts|preload-helper|index\.html/, priority: 4 },
            { name: languageOf, debugName: 'language', priority: 3 },
            { name: 'first', tags: ['$initial'], priority: 2 },
            { name: 'shared', minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
    license: { fileName: 'third-party.md' },
  },
  server: { proxy: { '/api': SERVER, '/trpc': SERVER, '/docs': SERVER, '/openapi.json': SERVER } },
})
