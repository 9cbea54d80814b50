import { readFileSync } from 'node:fs'
import { defineConfig } from 'rolldown'
import { thirdParty } from '../../scripts/third-party.mjs'

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))

/**
 * Everything in one folder, so that the packed command needs no other package. The code of a noun is in a chunk of its
 * own, which is read when the noun is called: the command starts as fast for `--help` as for a program of one line.
 */
export default defineConfig({
  input: 'src/main.ts',
  platform: 'node',
  moduleTypes: { '.bash': 'text', '.zsh': 'text', '.fish': 'text' },
  transform: { define: { __VERSION__: JSON.stringify(version) } },
  plugins: [thirdParty()],
  output: {
    dir: 'dist',
    cleanDir: true,
    chunkFileNames: '[name]-[hash].js',
    minify: 'dce-only',
  },
})
