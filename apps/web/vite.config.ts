import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { precompress } from './precompress.js'

/** The API server of the development server. */
const SERVER = 'http://127.0.0.1:8080'

export default defineConfig({
  plugins: [react(), precompress()],
  build: {
    // Browsers with `light-dark()` and `dialog`, which all of them have supported since 2024.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Inlined images and fonts would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Browsers load six files at a time: dozens of small ones would delay the page's API requests.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
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
