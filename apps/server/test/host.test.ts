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

describe('a server', () => {
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
  ])('answers to %s', async (host) => {
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
  ])('does not answer to %s', async (host) => {
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
  ])('does not answer to another name at %s, whatever is asked', async (what) => {
    expectRefusal(await ask(`${what} HTTP/1.1`, 'Host: evil.example'), 421, /ALLOWED_HOSTS/, what)
  })

  it('does not open a stream by another name', async () => {
    const answer = await ask(`GET ${space}/events/stream HTTP/1.1`, 'Host: evil.example')
    expectRefusal(answer, 421, /ALLOWED_HOSTS/, 'stream')
  })

  it('answers to HTTP/1.0, which names no host', async () => {
    expect(await ask('GET /health HTTP/1.0')).toMatchObject({ status: 200 })
  })

  it('goes on doing so after many names', async () => {
    for (let n = 0; n < 150; n++) await ask('GET /health HTTP/1.1', `Host: n${n}.localhost`)
    expect(await ask('GET /health HTTP/1.1', 'Host: localhost')).toMatchObject({ status: 200 })
    expectRefusal(await ask('GET /health HTTP/1.1', 'Host: evil.example'), 421, /./, 'after many')
  })
})

const ODD = ['a:b@c', 'a b', 'localhost/x', 'localhost?x', 'localhost#x', 'localhost:99999', '[::1', '999.1.1.1', '']

describe('a host that is no host', () => {
  it.each(ODD)('is 400, wherever it stands: %j', async (host) => {
    for (const path of ['/health', '/trpc/space.list', '/api/spaces', '/mcp', '/nothing']) {
      const answer = await ask(`GET ${path} HTTP/1.1`, `Host: ${host}`)
      expectRefusal(answer, 400, /^Host: is not a valid host$/, { path, host })
    }
  })

  it('is one of two', async () => {
    for (const second of ['localhost', 'evil.example']) {
      const answer = await ask('GET /health HTTP/1.1', 'Host: localhost', `Host: ${second}`)
      expectRefusal(answer, 400, /^Host: is not a valid host$/, second)
    }
  })

  it.each(['http://ada:secret@localhost/health', 'http:///health', 'http://local%20host/health'])(
    'is 400 in absolute form, too: %s',
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

describe.each(DOORS)('with %j', (settings) => {
  const server = useServer(settings, h)
  const raw = useRaw(server)
  const isPublic = 'PUBLIC_URL' in settings
  const isAllowed = 'ALLOWED_HOSTS' in settings

  it('answers to the names that it has, to addresses and to this machine', async () => {
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

  it('lets pages register people that are of the host they ask, or of its public address', async () => {
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
      // A page whose name was pointed here is of the host that it asks.
      ['evil.example:8080', 'http://evil.example:8080', 421],
      ['spaces.internal:8080', 'http://spaces.internal:8080', isAllowed ? 200 : 421],
    ] as const
    const asked = wanted.map(async ([host, origin]) => [host, origin, await register(host, origin)])
    expect(await Promise.all(asked)).toEqual(wanted)
  })
})

describe('behind a proxy', () => {
  const trusting = useServer({ TRUST_PROXY: '2', ALLOWED_HOSTS: 'spaces.internal' }, h)
  const [far, near] = [useRaw(h), useRaw(trusting)]
  const asked = async (raw: typeof far, host: string, forwarded: string) =>
    (await raw.ask({ method: 'GET', path: '/health', headers: { Host: host, 'X-Forwarded-Host': forwarded } })).status

  it.each([
    ['spaces.internal', 200],
    ['evil.example', 421],
    ['evil.example, spaces.internal, 127.0.0.1', 200],
    ['spaces.internal, evil.example, spaces.internal', 421],
    ['', 200],
  ])('that is trusted, what its client has asked for is judged as well: %j', async (forwarded, status) => {
    expect(await asked(near, 'localhost', forwarded)).toBe(status)
    expect(await asked(near, 'evil.example', forwarded), 'and never instead').toBe(421)
  })

  it('that is not, no actor is asked', async () => {
    expect(await asked(far, 'localhost', 'evil.example')).toBe(200)
  })
})

describe('a server that listens on a name', () => {
  const named = useRaw(useServer({ HOST: 'localhost' }, h))

  it('answers to it, and to no other', async () => {
    const statusOf = async (host: string) =>
      (await named.ask({ method: 'GET', path: '/health', headers: { Host: host } })).status
    expect(await statusOf('localhost')).toBe(200)
    expect(await statusOf('evil.example')).toBe(421)
  })
})
