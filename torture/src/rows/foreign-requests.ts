import type { ConnectionOptions } from '@collab-spaces/db'
import { query } from '@collab-spaces/testing/programs'
import type { Row } from '../row.js'
import { send } from '../service/http.js'
import type { Instance } from '../service/instance.js'
import { register } from '../service/people.js'
import { exchange } from '../service/raw.js'
import type { Trial } from '../trial.js'

const AT_A_TIME = 20

export const foreignRequests: Row = {
  name: 'H3',
  title: 'foreign pages, foreign hosts and malformed requests',
  about:
    'Random requests with foreign origins, foreign or impossible hosts, odd methods, targets, versions and headers. A page ' +
    'of another site cannot register an actor (403), another host gets 421, and all others an answer below 500 with a reason.',
  async run(trial) {
    const { connection, instances } = await trial.cluster(1)
    const [server] = instances as [Instance]
    const { key } = await register(server.url)
    const before = await actors(connection)
    const statuses = new Map<number, number>()
    let requests = 0
    while (trial.hasTimeFor(requests / 200)) {
      const odd = Array.from({ length: AT_A_TIME }, () => makeRequest(trial, key))
      requests += odd.length
      await Promise.all(
        odd.map(async (request) => {
          const status = await judge(trial, server.url, request)
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }),
      )
      const health = await send(server.url, { path: '/health' })
      trial.require(health.status === 200, `/health was answered ${health.status}`)
    }
    trial.require((await actors(connection)) === before, 'a page of another site has registered an actor')
    const seen = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
    return { requests, statuses: seen.join(' ') }
  },
}

interface OddRequest {
  readonly text: string
  /** The status of the expected refusal. */
  readonly status?: number
}

const METHODS = ['GET', 'POST', 'HEAD', 'OPTIONS', 'TRACE', 'CONNECT', 'PROPFIND', 'BREW', 'get', 'DELETE', 'PATCH']
const TARGETS = [
  '/health',
  '/api/spaces',
  '/api/actors/me',
  '/trpc/space.list',
  '/trpc/actor.me?batch=1',
  '/openapi.json',
  '*',
  '//',
  '/..%2f..%2fetc/passwd',
  '/api/spaces/%E0%A4%A/events',
  '/api/spaces/%00/status',
  `/${'a'.repeat(8_000)}`,
  '/api/search?q=a&q=b',
  '/api/search?__proto__[x]=1',
  '/nothing?token=svc_none',
  'http://localhost/health',
  'http:///x',
]
const FOREIGN_HOSTS = ['evil.example', 'localhost.evil.example', '10.0.0.1.evil.example:80', '127.0.0.1.evil.example']
const IMPOSSIBLE_HOSTS = ['a:b@c', 'a b', 'localhost/x', 'localhost:99999', '[::1', '999.1.1.1', '']
const VERSIONS = ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/9.9', 'HTTP/2.0', '']
const HEADERS = [
  'TE: gzip, chunked',
  'Transfer-Encoding: gzip',
  'Expect: 200-maybe',
  'Upgrade: websocket',
  'Content-Type: text/plain',
  'Content-Encoding: gzip',
  'Accept: application/xml',
  'X-Forwarded-For: 127.0.0.1',
  'X-Request-Id: \u00e9',
  'Host: localhost',
  'Last-Event-ID: x',
]
const FOREIGN_PAGES = ['Origin: https://evil.example', 'Origin: null', 'Sec-Fetch-Site: cross-site']
const REGISTRATIONS = [
  ['/api/actors', 'application/json', 403],
  ['/api/actors', 'text/plain', 403],
  ['/trpc/actor.register', 'application/json', 403],
  ['/trpc/actor.register', 'text/plain', 415],
] as const

/** Returns a random request of a kind known for vulnerabilities. */
function makeRequest(trial: Trial, key: string): OddRequest {
  const kind = trial.between(1, 10)
  if (kind <= 2) return foreignRegistration(trial)
  if (kind <= 4)
    return { text: raw('GET /api/spaces HTTP/1.1', [`Host: ${trial.pick(FOREIGN_HOSTS)}`], key), status: 421 }
  if (kind === 5)
    return { text: raw('GET /health HTTP/1.1', [`Host: ${trial.pick(IMPOSSIBLE_HOSTS)}`], key), status: 400 }
  const line = `${trial.pick(METHODS)} ${trial.pick(TARGETS)} ${trial.pick(VERSIONS)}`.trim()
  const headers = Array.from({ length: trial.between(0, 2) }, () => trial.pick(HEADERS))
  return { text: raw(line, ['Host: localhost', ...headers], key) }
}

/** Returns a cross-site registration by any route; tRPC calls accept only JSON. */
function foreignRegistration(trial: Trial): OddRequest {
  const body = JSON.stringify({ display_name: 'Eve', email: 'eve@example.org' })
  const [path, type, status] = trial.pick(REGISTRATIONS)
  const headers = [
    'Host: localhost',
    trial.pick(FOREIGN_PAGES),
    `Content-Type: ${type}`,
    `Content-Length: ${body.length}`,
  ]
  return { text: raw(`POST ${path} HTTP/1.1`, headers) + body, status }
}

const raw = (line: string, headers: readonly string[], key?: string) =>
  [line, ...headers, ...(key ? [`Authorization: Bearer ${key}`] : []), 'Connection: close', '', ''].join('\r\n')

/** Sends it, checks the answer, and returns its status. */
async function judge(trial: Trial, url: string, { text, status: wanted }: OddRequest): Promise<number> {
  const sent = JSON.stringify(text.slice(0, 300).replace(/Bearer \S+/, 'Bearer …'))
  const received = await exchange(url, text).catch((error: Error) => error.message)
  const [head = '', body = ''] = received.split('\r\n\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1] ?? 0)
  // A CONNECT request is not answered, and the connection closes.
  if (text.startsWith('CONNECT') && received === '') return status
  trial.require(status >= 200 && status < 500, `${sent} was answered ${received.slice(0, 300)}`)
  trial.require(wanted === undefined || status === wanted, `${sent} was answered ${status}, not ${wanted}`)
  const isWithoutBody = status < 400 || text.startsWith('HEAD')
  trial.require(isWithoutBody || body.includes('"detail":"'), `${sent} was refused without a reason: ${body}`)
  return status
}

async function actors(connection: ConnectionOptions): Promise<number> {
  return (await query(connection, 'SELECT count(*)::int AS count FROM actors')).rows[0].count
}
