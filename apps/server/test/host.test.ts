import type { Actor } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { answersIn, expectRefusal, useRaw } from './support/raw.js'
import { useServer } from './support/server.js'

const h = useServer({ PUBLIC_URL: 'https://Spaces.Example.org:8443/', ALLOWED_HOSTS: 'spaces.internal, [fd00::1]' })
const raw = useRaw(h)
let ada: Actor
let space: string

beforeAll(async () => {
  ada = await h.registerHuman()
  space = await h.openSpace(ada)
})
const request = (first: string, ...headers: string[]) =>
  [first, ...headers, `Authorization: Bearer ${ada.api_key}`, 'Connection: close', '', ''].join('\r\n')

async function ask(first: string, ...headers: string[]) {
  const [answer] = answersIn(await raw.exchange(request(first, ...headers)))
  if (!answer) throw new Error('no answer')
  return answer
}

describe('the server', () => {
  it.each([
    'localhost',
    'LocalHost:8080',
    'spaces.localhost',
    '127.0.0.1',
    '127.9.8.7:1',
    '[::1]',
    '[::1]:8080',
    'spaces.example.org',
    'SPACES.example.org:8443',
    'spaces.internal',
    'spaces.internal:80',
    '[fd00::1]:8080',
    '128.0.0.1',
    '10.0.0.1:8080',
    '0.0.0.0',
    '[::2]',
    'localhost.',
    'spaces.example.org.:8443',
    'SPACES.INTERNAL.',
  ])('accepts the host %s', async (host) => {
    expect(await ask('GET /health HTTP/1.1', `Host: ${host}`)).toMatchObject({ status: 200 })
    expect(await ask(`GET http://${host}/health HTTP/1.1`, 'Host: localhost')).toMatchObject({ status: 200 })
  })

  it.each([
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    'notlocalhost',
    'example.org',
    '127.0.0.1.evil.example',
    '10.0.0.1.evil.example',
    'evil.example.',
    'spaces.example.org.evil.example',
    'xn--spaces-.example.org',
  ])('rejects the host %s', async (host) => {
    const name = host.replace(/:\d+$/, '').replace(/\.$/, '')
    const wanted = `This server does not answer to the host ${name}; its operator can add it to ALLOWED_HOSTS`
    for (const answer of [
      await ask('GET /health HTTP/1.1', `Host: ${host}`),
      await ask(`GET http://${host}/health HTTP/1.1`, 'Host: localhost'),
    ]) {
      expectRefusal(answer, 421, /./, host)
      expect(JSON.parse(answer.text)).toEqual({ detail: wanted })
    }
  })

  it.each([
    'GET /health',
    'GET /docs',
    'GET /docs/swagger-ui.css',
    'GET /openapi.json',
    'GET /openapi-3.0.json',
    'GET /api/spaces',
    'POST /api/actors',
    'GET /trpc/space.list',
    'POST /mcp',
    'GET /nothing',
    'OPTIONS /api/spaces',
    'TRACE /trpc/x',
  ])('rejects an unknown host for %s', async (what) => {
    expectRefusal(await ask(`${what} HTTP/1.1`, 'Host: evil.example'), 421, /ALLOWED_HOSTS/, what)
  })

  it('rejects an unknown host for a stream', async () => {
    const answer = await ask(`GET ${space}/events/stream HTTP/1.1`, 'Host: evil.example')
    expectRefusal(answer, 421, /ALLOWED_HOSTS/, 'stream')
  })

  it('accepts HTTP/1.0 without a host', async () => {
    expect(await ask('GET /health HTTP/1.0')).toMatchObject({ status: 200 })
  })

  it('decides the same after requests with many hosts', async () => {
    for (let n = 0; n < 150; n++) await ask('GET /health HTTP/1.1', `Host: n${n}.localhost`)
    expect(await ask('GET /health HTTP/1.1', 'Host: localhost')).toMatchObject({ status: 200 })
    expectRefusal(await ask('GET /health HTTP/1.1', 'Host: evil.example'), 421, /./, 'after many')
  })
})

const ODD = ['a:b@c', 'a b', 'localhost/x', 'localhost?x', 'localhost#x', 'localhost:99999', '[::1', '999.1.1.1', '']

describe('an invalid Host', () => {
  it.each(ODD)('gets 400 on every path: %j', async (host) => {
    for (const path of ['/health', '/trpc/space.list', '/api/spaces', '/mcp', '/nothing']) {
      const answer = await ask(`GET ${path} HTTP/1.1`, `Host: ${host}`)
      expectRefusal(answer, 400, /^Host: is not a valid host$/, { path, host })
    }
  })

  it('gets 400 when the header is repeated', async () => {
    for (const second of ['localhost', 'evil.example']) {
      const answer = await ask('GET /health HTTP/1.1', 'Host: localhost', `Host: ${second}`)
      expectRefusal(answer, 400, /^Host: is not a valid host$/, second)
    }
  })

  it.each(['http://ada:secret@localhost/health', 'http:///health', 'http://local%20host/health'])(
    'gets 400 in the absolute form of a target: %s',
    async (target) => {
      expectRefusal(await ask(`GET ${target} HTTP/1.1`, 'Host: localhost'), 400, /^Host: is not a valid host$/, target)
    },
  )
})

const PUBLIC = { PUBLIC_URL: 'https://spaces.example.org' }
const ALLOWED = { ALLOWED_HOSTS: 'spaces.internal' }
const DOORS = ['127.0.0.1', '0.0.0.0', '::'].flatMap((HOST) =>
  [{}, PUBLIC, ALLOWED, { ...PUBLIC, ...ALLOWED }].map((settings) => ({ HOST, ...settings })),
)

describe.each(DOORS)('a server with %j', (settings) => {
  const server = useServer(settings, h)
  const raw = useRaw(server)
  const isPublic = 'PUBLIC_URL' in settings
  const isAllowed = 'ALLOWED_HOSTS' in settings

  it('accepts its own names, addresses and localhost, and rejects other hosts', async () => {
    const wanted = {
      'localhost:8080': true,
      'spaces.localhost': true,
      '127.0.0.1:8080': true,
      '[::1]': true,
      '192.168.1.7:8080': true,
      '[fd00::7]:8080': true,
      'spaces.example.org': isPublic,
      'SPACES.example.org.:443': isPublic,
      'spaces.internal:8080': isAllowed,
      'evil.example': false,
      '10.0.0.1.evil.example': false,
    }
    const statuses = await Promise.all(
      Object.keys(wanted).map((Host) => raw.ask({ method: 'GET', path: '/health', headers: { Host } })),
    )
    expect(Object.fromEntries(Object.keys(wanted).map((host, at) => [host, statuses[at]?.status === 200]))).toEqual(
      wanted,
    )
    expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200, 421]))
  })

  it('lets a page register a human if its origin is the requested host or the public address', async () => {
    const body = JSON.stringify({ display_name: 'Ada', email: 'ada@example.org' })
    const register = async (Host: string, Origin: string) =>
      (await raw.ask({ method: 'POST', path: '/api/actors', headers: { Host, Origin }, body })).status
    const wanted = [
      ['localhost:8080', 'http://localhost:8080', 200],
      ['192.168.1.7:8080', 'http://192.168.1.7:8080', 200],
      ['localhost:8080', 'https://spaces.example.org', isPublic ? 200 : 403],
      ['localhost:8080', 'http://spaces.internal', 403],
      ['localhost:8080', 'http://localhost:1', 403],
      ['127.0.0.1:8080', 'http://192.168.1.7:8080', 403],
      ['[::1]:8080', 'http://evil.example', 403],
      ['[::1]:8080', 'null', 403],
      // A page whose host name was pointed at this server has the requested host as its origin.
      ['evil.example:8080', 'http://evil.example:8080', 421],
      ['spaces.internal:8080', 'http://spaces.internal:8080', isAllowed ? 200 : 421],
    ] as const
    const results = wanted.map(async ([host, origin]) => [host, origin, await register(host, origin)])
    expect(await Promise.all(results)).toEqual(wanted)
  })
})

describe('the header X-Forwarded-Host', () => {
  const trusting = useServer({ TRUST_PROXY: '2', ALLOWED_HOSTS: 'spaces.internal' }, h)
  const [far, near] = [useRaw(h), useRaw(trusting)]
  const statusOf = async (raw: typeof far, host: string, forwarded: string) =>
    (await raw.ask({ method: 'GET', path: '/health', headers: { Host: host, 'X-Forwarded-Host': forwarded } })).status

  it.each([
    ['spaces.internal', 200],
    ['evil.example', 421],
    ['evil.example, spaces.internal, 127.0.0.1', 200],
    ['spaces.internal, evil.example, spaces.internal', 421],
    ['', 200],
  ])('is checked in addition to Host behind a trusted proxy: %j', async (forwarded, status) => {
    expect(await statusOf(near, 'localhost', forwarded)).toBe(status)
    expect(await statusOf(near, 'evil.example', forwarded), 'and never instead').toBe(421)
  })

  it('is ignored without a trusted proxy', async () => {
    expect(await statusOf(far, 'localhost', 'evil.example')).toBe(200)
  })
})

describe('a server that listens on a host name', () => {
  const named = useRaw(useServer({ HOST: 'localhost' }, h))

  it('accepts this name, and rejects others', async () => {
    const statusOf = async (host: string) =>
      (await named.ask({ method: 'GET', path: '/health', headers: { Host: host } })).status
    expect(await statusOf('localhost')).toBe(200)
    expect(await statusOf('evil.example')).toBe(421)
  })
})
