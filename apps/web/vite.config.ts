import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { precompress } from './precompress.js'

/** The server that the page talks to while it is being worked on. */
const SERVER = 'http://127.0.0.1:8080'

export default defineConfig({
  plugins: [react(), precompress()],
  build: {
    // Browsers that have `light-dark()` and `dialog`, which have been in all of them since 2024.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // An image or a font inside a style sheet would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // A browser asks for six files at a time: dozens of small ones would keep what a page reads waiting behind them.
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
