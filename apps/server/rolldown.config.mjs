import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { defineConfig } from 'rolldown'
import { thirdParty } from '../../scripts/third-party.mjs'

const OUT = 'dist'
const FILES = 'files.json'

/**
 * Gives each module the address that it has as a file. By that, ours find the migrations, the page, the worker that
 * writes summaries, PostgreSQL and their version, as they do where they are not bundled.
 */
const ownAddress = {
  name: 'own-address',
  transform(code, id) {
    if (!code.includes('import.meta.url')) return null
    const path = JSON.stringify(relative(OUT, id))
    return { code: code.replaceAll('import.meta.url', `new URL(${path}, import.meta.url).href`), map: null }
  },
}

/** A server that runs from the build before this one still finds files that it has not loaded yet. Older files go. */
const leavePrevious = {
  name: 'leave-previous',
  generateBundle(_options, bundle) {
    const files = Object.keys(bundle)
    const list = join(OUT, FILES)
    const previous = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
    const kept = new Set([...files, ...previous])
    for (const name of existsSync(OUT) ? readdirSync(OUT) : []) {
      if (!kept.has(name)) rmSync(join(OUT, name), { recursive: true })
    }
    this.emitFile({ type: 'asset', fileName: FILES, source: JSON.stringify(files, null, 2) })
  },
}

/** Prisma has its compiler as a text in base64, of which V8 would keep two copies: those of the file and the constant. */
const compilerAsBytes = {
  name: 'compiler-as-bytes',
  transform(code, id) {
    if (!id.endsWith('.wasm-base64.mjs')) return null
    const source = Buffer.from(/"([\w+/]+=*)"/.exec(code)[1], 'base64')
    const fileName = `query-compiler-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.wasm`
    this.emitFile({ type: 'asset', fileName, source })
    const address = `new URL(${JSON.stringify(fileName)}, import.meta.url)`
    return { code: `import { readFileSync } from 'node:fs'\nexport const wasm = readFileSync(${address})`, map: null }
  },
}

/** Express loads parsers of bodies, which this server never uses, with tables of every character set. */
const leaveOutParsers = {
  name: 'leave-out-parsers',
  load: (id) =>
    /\/node_modules\/body-parser\/index\.js$/.test(id.replaceAll('\\', '/')) ? 'module.exports = {}' : null,
}

/** V8 keeps the source of a file with a single character beyond ASCII at two bytes a character. */
const escapeNonAscii = {
  name: 'escape-non-ascii',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue
      file.code = file.code.replace(
        /[\u0080-\uffff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
    }
  },
}

/**
 * A start loads a few files instead of 550, and takes half the processor time. Code that not every server needs, such
 * as for a language model, MCP or the commands of operators, is in chunks of its own, which are loaded when needed.
 */
export default defineConfig({
  input: 'src/main.ts',
  platform: 'node',
  // It finds its files beside itself.
  external: ['swagger-ui-dist/absolute-path.js'],
  plugins: [leaveOutParsers, ownAddress, compilerAsBytes, escapeNonAscii, thirdParty(), leavePrevious],
  output: {
    dir: OUT,
    chunkFileNames: '[name]-[hash].js',
    minify: 'dce-only',
    // Node keeps the source in memory.
    comments: false,
  },
})
