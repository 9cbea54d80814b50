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

/** Emits a file, and returns the address that the bundle reads it by. */
function addressOf(context, name, ending, source) {
  const fileName = `${name}-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.${ending}`
  context.emitFile({ type: 'asset', fileName, source })
  return `new URL(${JSON.stringify(fileName)}, import.meta.url)`
}

const IMPORT_READ = "import { readFileSync } from 'node:fs'\n"

/** Prisma has its compiler as a text in base64, of which V8 would keep two copies: those of the file and the constant. */
const compilerAsBytes = {
  name: 'compiler-as-bytes',
  transform(code, id) {
    if (!id.endsWith('.wasm-base64.mjs')) return null
    const source = Buffer.from(/"([\w+/]+=*)"/.exec(code)[1], 'base64')
    const address = addressOf(this, 'query-compiler', 'wasm', source)
    return { code: `${IMPORT_READ}export const wasm = readFileSync(${address})`, map: null }
  },
}

const LONG_TEXT = /"(?:[^"\\]|\\.){10000,}"/g

/** Likewise, Prisma has the schema and what it makes of it as long texts. */
const schemaAsFiles = {
  name: 'schema-as-files',
  transform(code, id) {
    if (!/\/generated\/internal\/class\.js$/.test(id.replaceAll('\\', '/'))) return null
    const read = (text) => `readFileSync(${addressOf(this, 'prisma', 'txt', JSON.parse(text))}, 'utf8')`
    return { code: IMPORT_READ + code.replace(LONG_TEXT, read), map: null }
  },
}

const NOTHING = '\0nothing'

/**
 * Express loads parsers of bodies and of nested queries, which this server never uses, with tables of every character set.
 */
const leaveOutParsers = {
  name: 'leave-out-parsers',
  resolveId: (source, importer = '') =>
    /^(?:body-parser|qs)$/.test(source) && /\/node_modules\/express\//.test(importer.replaceAll('\\', '/'))
      ? NOTHING
      : null,
  load: (id) => (id === NOTHING ? 'module.exports = {}' : null),
}

/** The types that are known by a suffix or a short name. The page and the downloads name theirs. */
const KNOWN_TYPES =
  /^(?:application\/(?:javascript|json|octet-stream|x-www-form-urlencoded|xml)|text\/(?:css|html|javascript|plain|xml))$/

/** Express loads a table of 2,500 media types. */
const fewMediaTypes = {
  name: 'few-media-types',
  transform(code, id) {
    if (!/\/node_modules\/mime-db\/db\.json$/.test(id.replaceAll('\\', '/'))) return null
    const types = Object.entries(JSON.parse(code)).filter(([type]) => KNOWN_TYPES.test(type))
    return { code: JSON.stringify(Object.fromEntries(types)), map: null }
  },
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
  plugins: [
    leaveOutParsers,
    fewMediaTypes,
    ownAddress,
    compilerAsBytes,
    schemaAsFiles,
    escapeNonAscii,
    thirdParty(),
    leavePrevious,
  ],
  output: {
    dir: OUT,
    chunkFileNames: '[name]-[hash].js',
    minify: 'dce-only',
    // Node keeps the source in memory.
    comments: false,
  },
})
