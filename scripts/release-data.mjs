// Writes the data of this release for the tests of later ones: a backup of a small history, what the server answers
// about it, and every statement that it has sent to its database. Run it once, after a release was built.
//
//   node scripts/release-data.mjs [CHECKOUT]
import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { live } from './release-story.mjs'

/** A stream asks the database what pages and waits ask. */
const NOT_USED = ['GET /api/spaces/{space_id}/events/stream']

const here = resolve(import.meta.dirname, '..')
const checkout = resolve(process.argv[2] ?? here)
const main = join(checkout, 'apps/server/dist/main.js')
const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'))
const target = join(here, 'apps/server/test/releases', version)

const work = mkdtempSync(join(tmpdir(), 'spaces-release-'))
const record = join(work, 'statements')
const environment = {
  // biome-ignore lint/style/noProcessEnv: programs are found where this one is, all else is given
  PATH: process.env.PATH,
  DATA_DIR: join(work, 'data'),
  PORT: '0',
  LOG_LEVEL: 'warn',
  WEBHOOK_NETWORKS: 'loopback',
}
const recording = { ...environment, RECORD_TO: record, RECORD_CHECKOUT: checkout }
const recorder = pathToFileURL(join(here, 'scripts/record-statements.mjs')).href
const server = spawn(process.execPath, ['--import', recorder, main], {
  env: recording,
  stdio: ['ignore', 'pipe', 'inherit'],
  cwd: work,
})
const gone = new Promise((ended) => server.once('exit', ended))

try {
  const url = await readyUrl()
  // What comes before is the making of the database.
  const start = statSync(record).size
  const calls = []
  const asked = await live(
    (key, method, path, body) => {
      calls.push(`${method} ${path.split('?')[0]}`)
      return call(url, key, method, path, body)
    },
    () => appendFileSync(record, `${JSON.stringify({ kind: 'opened' })}\n`),
  )
  const answers = []
  for (const { path, key } of asked) {
    calls.push(`GET ${path.split('?')[0]}`)
    answers.push({ path, key, answer: await call(url, key, 'GET', path) })
  }
  await requireAllUsed(url, calls)
  const steps = readFileSync(record).subarray(start)

  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  execFileSync(process.execPath, [main, 'backup', join(target, 'backup.gz')], { env: environment, cwd: work })
  writeFileSync(join(target, 'answers.json'), `${JSON.stringify(answers, null, 2)}\n`)
  writeFileSync(join(target, 'statements.gz'), gzipSync(steps, { level: 9 }))
  process.stdout.write(`Wrote ${target}: ${answers.length} answers\n`)
} finally {
  server.kill('SIGTERM')
  await gone
  rmSync(work, { recursive: true, force: true })
}

async function readyUrl() {
  let text = ''
  for await (const chunk of server.stdout) {
    text += chunk
    const [, url] = /is ready at (\S+) /.exec(text) ?? []
    if (url) return url
  }
  throw new Error('The server did not start')
}

async function call(url, key, method, path, body) {
  const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) }
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text === '' ? null : JSON.parse(text)
}

/** Throws if the story misses an operation: nobody would notice that a later version breaks it. */
async function requireAllUsed(url, calls) {
  const { paths } = await call(url, undefined, 'GET', '/openapi.json')
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    ['get', 'post', 'put', 'patch', 'delete']
      .filter((method) => method in methods)
      .map((method) => `${method.toUpperCase()} ${path}`),
  )
  const isUsed = (operation) => {
    // A literal path is another operation than the one with a parameter in its place.
    const pattern = new RegExp(`^${operation.replace(/\{\w+\}/g, '[^/]+')}$`)
    return calls.some((made) => pattern.test(made) && (made === operation || !operations.includes(made)))
  }
  const missing = operations.filter(
    (operation) => operation.includes(' /api/') && !NOT_USED.includes(operation) && !isUsed(operation),
  )
  if (missing.length > 0) throw new Error(`The story does not use ${missing.join(', ')}`)
}
