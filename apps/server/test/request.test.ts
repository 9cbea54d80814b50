import { describe, expect, it, vi } from 'vitest'
import { documentOf } from './support/document.js'
import { UUID_V4 } from './support/form.js'
import { useServer } from './support/server.js'
import { startStack } from './support/stack.js'

const h = useServer()
describe('/health', () => {
  it('returns exactly {"status":"ok"} to any caller', async () => {
    for (const client of [h, h.as('nonsense')]) {
      const answer = await client.get('/health')
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual({ status: 'ok' })
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    }
  })

  it('has no /api prefix', async () => {
    await h.get('/api/health').expect(404, 'Path not found: see /docs')
  })
})

it('/ready needs no credential', async () => {
  expect(await h.get('/ready').expect(200)).toEqual({ status: 'ready' })
})

it('/ready pings the database about once a second, however many requests arrive', async () => {
  const { services, url } = await startStack(h.connection)
  const look = vi.spyOn(services.database, 'ping')
  const responses = await Promise.all(Array.from({ length: 200 }, () => fetch(`${url}/ready`)))
  for (const { status } of responses) expect(status).toBe(200)
  // One ping a second; a busy machine may need several seconds.
  expect(look.mock.calls.length).toBeLessThan(50)
})

it('/docs and the files that it loads need no credential', async () => {
  const page = await h.get('/docs')
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const loaded = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path as string)
  expect(loaded.length).toBeGreaterThan(0)
  for (const path of loaded) expect((await h.get(path)).status).toBe(200)
})

it('/docs does not store the key in the browser', async () => {
  const shown: Record<string, unknown>[] = []
  const script = new Function('SwaggerUIBundle', (await h.get('/docs/page.js')).text)
  script((options: Record<string, unknown>) => shown.push(options))
  expect(shown).toEqual([expect.objectContaining({ persistAuthorization: false })])
  // Nor can the query string change that.
  expect(shown[0]).not.toHaveProperty('queryConfigEnabled')
})

const READ_ONLY = [
  '/health',
  '/ready',
  '/openapi.json',
  '/openapi-3.0.json',
  '/docs',
  '/docs/page.js',
  '/docs/swagger-ui.css',
  '/docs/swagger-ui-bundle.js',
]

describe.each(READ_ONLY)('%s', (path) => {
  it('answers HEAD as GET, without a body', async () => {
    const [get, head] = [await h.get(path), await h.send('HEAD', path)]
    expect(head.status).toBe(200)
    expect(head.text).toBe('')
    for (const header of ['content-type', 'content-length']) {
      expect(head.headers.get(header)).toBe(get.headers.get(header))
    }
  })

  it('returns 405 for any other method', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await h.send(method, path)
      answer.expect(405, 'Method not allowed here; allowed: GET, HEAD')
      expect(answer.headers.get('allow')).toBe('GET, HEAD')
    }
  })

  it(`${path === '/docs' ? 'redirects' : 'returns 404'} with a trailing slash`, async () => {
    const answer = await fetch(`${h.url}${path}/`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual(path === '/docs' ? [308, path] : [404, null])
  })
})

describe('an unknown path', () => {
  it.each([
    '/api',
    '/api/',
    '/API/spaces',
    '/nothing',
    '/docs/nothing',
    '/docs/%2e%2e/x',
    '/%E0%A4%A',
    '/health/x',
    '/trpc',
    '/trpc/x/actor.me',
    '/mcp/x',
  ])('%s returns 404 in JSON', async (path) => {
    await h.get(path).expect(404, 'Path not found: see /docs')
    await h.post(path, {}).expect(404, 'Path not found: see /docs')
    expect((await h.send('HEAD', path)).status).toBe(404)
  })
})

describe('X-Request-Id', () => {
  const ask = (path: string, id: string) => h.get(path, { headers: { 'x-request-id': id } })

  it.each(['/health', '/api/actors/me', '/nothing', '/openapi.json'])('is the caller’s own on %s', async (path) => {
    for (const id of ['a', 'Run-7.2_b', 'x'.repeat(128)]) {
      expect((await ask(path, id)).headers.get('x-request-id')).toBe(id)
    }
  })

  it('is a new one when the caller sends none, or an invalid one', async () => {
    const seen = new Set<string>()
    const improper = ['', 'x'.repeat(129), 'a b', 'a/b', '<b>', 'a;b', 'é', 'a, b']
    for (const id of improper) seen.add((await ask('/health', id)).headers.get('x-request-id') ?? '')
    seen.add((await h.get('/health')).headers.get('x-request-id') ?? '')
    expect(seen.size).toBe(improper.length + 1)
    for (const id of seen) expect(id).toMatch(UUID_V4)
  })
})

describe('headers of every answer', () => {
  it.each([
    ['GET', '/health', 200],
    ['GET', '/openapi.json', 200],
    ['GET', '/docs', 200],
    ['GET', '/docs/swagger-ui.css', 200],
    ['GET', '/api/actors/me', 401],
    ['GET', '/trpc/actor.me', 401],
    ['POST', '/mcp', 401],
    ['GET', '/mcp', 405],
    ['DELETE', '/api/actors/me/agents', 405],
    ['GET', '/nothing', 404],
    ['POST', '/api/actors', 400],
  ])('%s %s', async (method, path, status) => {
    const answer = await h.send(method, path)
    expect(answer.status).toBe(status)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': expect.stringContaining('X-Request-Id'),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'self'"),
    })
    for (const header of ['x-powered-by', 'etag', 'set-cookie', 'access-control-allow-credentials']) {
      expect(answer.headers.has(header)).toBe(false)
    }
  })
})

describe('a CORS preflight', () => {
  it.each(['/api/spaces', '/api/actors/usr_x/rotate-key', '/mcp', '/health', '/nothing'])(
    'returns 204 on %s',
    async (path) => {
      const headers = {
        origin: 'https://app.example.org',
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'authorization,content-type',
      }
      const answer = await h.send('OPTIONS', path, undefined, { headers })
      expect(answer.status).toBe(204)
      expect(answer.text).toBe('')
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      const methods = answer.headers.get('access-control-allow-methods')?.split(', ')
      expect(methods).toEqual(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
      const allowed = answer.headers.get('access-control-allow-headers')?.toLowerCase().split(', ')
      const paths = Object.values(documentOf(h.url).paths).flatMap((methods) => Object.values(methods))
      const parameters = paths
        .flatMap(({ parameters = [] }) => parameters)
        .filter((parameter) => parameter.in === 'header')
      expect(parameters.length).toBeGreaterThan(0)
      const named = parameters.map(({ name }) => name.toLowerCase())
      for (const header of ['authorization', 'content-type', 'x-request-id', ...named]) {
        expect(allowed).toContain(header)
      }
    },
  )
})
