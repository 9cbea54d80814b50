import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { useRaw, type WireRequest } from './support/raw.js'
import { useServer } from './support/server.js'
import { startStack } from './support/stack.js'

const HTML = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

describe('the page for people', () => {
  const h = useServer()
  const raw = useRaw(h)
  let index: string
  let script: string
  beforeAll(async () => {
    index = await (await fetch(h.url)).text()
    script = /src="(\/assets\/[^"]+\.js)"/.exec(index)?.[1] as string
  })

  const get = (path: string, headers: Record<string, string> = {}, sent: Partial<WireRequest> = {}) =>
    fetch(h.url + path, { headers, method: sent.method ?? 'GET' })

  it.each(['/', '/index.html', '/s/plans', '/s/plans/e/1', '/add-account', '/nowhere/at/all'])(
    'is served at %s to a client that accepts HTML',
    async (path) => {
      const answer = await get(path, HTML)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(await answer.text()).toBe(index)
    },
  )

  it.each(['/api/nowhere', '/api', '/trpc/nowhere', '/assets/nowhere.js', '/docs/nowhere', '/.well-known/x', '/log/x'])(
    'is not served at %s, which returns 404',
    async (path) => {
      const answer = await get(path, HTML)
      expect(answer.status).toBe(404)
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    },
  )

  it('is not served at an unknown path to a client that does not accept HTML', async () => {
    expect((await get('/nowhere')).status).toBe(404)
    expect((await get('/')).status).toBe(200)
  })

  it('refuses methods other than GET', async () => {
    await h.post('/').expect(405)
    await h.delete(script).expect(405)
  })

  it('has a content security policy that allows no other origins and nothing inline', async () => {
    const { headers } = await get('/')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(index).not.toMatch(/<script(?![^>]* src=)|<style|style=| on\w+=/)
  })

  it('is revalidated by browsers, and its assets are immutable', async () => {
    expect((await get(script)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const first = await get('/')
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const again = await get('/', { 'If-None-Match': first.headers.get('etag') as string })
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
  })

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', undefined],
    ['deflate', undefined],
  ])('is sent for Accept-Encoding %s as %s', async (accepted, coding) => {
    const { headers, text } = await raw.ask({ method: 'GET', path: '/', headers: { 'Accept-Encoding': accepted } })
    expect(headers['content-encoding']).toBe(coding)
    expect(headers.vary).toContain('Accept-Encoding')
    if (coding === undefined) expect(text).toBe(index)
  })

  it('is the same in every coding', async () => {
    const bytes = async (coding: string) => {
      const { hostname, port } = new URL(h.url)
      const { request } = await import('node:http')
      return new Promise<Buffer>((resolve, reject) => {
        request({ hostname, port, path: script, headers: { 'Accept-Encoding': coding } }, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () => resolve(Buffer.concat(chunks)))
        })
          .on('error', reject)
          .end()
      })
    }
    const [plain, br, gz] = await Promise.all([bytes('identity'), bytes('br'), bytes('gzip')])
    expect(brotliDecompressSync(br).equals(plain)).toBe(true)
    expect(gunzipSync(gz).equals(plain)).toBe(true)
    expect(br.length).toBeLessThan(plain.length / 2)
  })
})

describe('a server without a built page', () => {
  const h = useServer()

  it('serves /docs with all its files', async () => {
    const { url } = await startStack(h.connection)
    expect((await fetch(url, { headers: HTML })).status).toBe(404)
    const docs = await (await fetch(`${url}/docs`)).text()
    const files = Array.from(docs.matchAll(/(?:href|src)="([^"]+)"/g), ([, path]) => path)
    expect(files).toContain('/favicon.svg')
    for (const path of files) expect((await fetch(url + path)).status, path).toBe(200)
    const icon = (await fetch(`${url}/favicon.svg`)).headers
    expect(icon.get('content-type')).toBe('image/svg+xml')
    expect(icon.get('cache-control')).toBe('public, max-age=86400')
  })
})
