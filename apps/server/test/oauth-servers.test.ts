import { type Actor, bearer, useDatabase } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { Browser, Program } from './support/oauth.js'
import { useServer } from './support/server.js'
import { ACCEPT, toolCall } from './support/tool-call.js'

const PUBLIC = { PUBLIC_URL: 'https://spaces.example.org' }
const database = useDatabase()
const one = useServer(PUBLIC, database)
const other = useServer(PUBLIC, database)

const allOf = ({ actor_id }: Actor) => ({ actor_id, scopes: ['read', 'write'] })
const via = (server: { url: string }) => (url: URL) => new URL(url.pathname + url.search, server.url)
const call = async (token: string, url: string): Promise<number> => {
  const headers = { ...bearer(token), ...ACCEPT, 'content-type': 'application/json' }
  const body = JSON.stringify(toolCall('whoami'))
  return (await fetch(`${url}/mcp`, { method: 'POST', headers, body })).status
}

describe('two servers of one database, at one public address', () => {
  it('continue a consent that the other began, and accept its tokens', async () => {
    const ada = await one.registerHuman()
    const program = new Program(PUBLIC.PUBLIC_URL, one.url)
    await program.register()
    const browser = new Browser(via(other))
    const { url: page } = await browser.open(program.authorizeUrl())
    expect(page.href).toMatch(/^https:\/\/spaces\.example\.org\/connect\//)
    expect((await browser.request(page)).status).toBe(200)
    browser.use(via(one))
    const answer = await browser.answer(page, ada.api_key, allOf(ada), { origin: PUBLIC.PUBLIC_URL })
    const { redirect_to } = (await answer.json()) as { redirect_to: string }
    expect(redirect_to).toMatch(/^https:\/\/spaces\.example\.org\/oauth\/authorize\//)
    browser.use(via(other))
    const back = await browser.open(new URL(redirect_to))
    expect(back.url.searchParams.get('iss')).toBe(PUBLIC.PUBLIC_URL)
    const code = back.url.searchParams.get('code') ?? ''
    const { body: first } = await program.redeem(code, {}, one.url)
    expect([await call(first.access_token, one.url), await call(first.access_token, other.url)]).toEqual([200, 200])
    const { body: second } = await program.refresh(first.refresh_token, {}, other.url)
    expect([await call(first.access_token, one.url), await call(second.access_token, one.url)]).toEqual([401, 200])
    expect((await program.refresh(first.refresh_token, {}, one.url)).status).toBe(400)
    expect([await call(second.access_token, one.url), await call(second.access_token, other.url)]).toEqual([401, 401])
  })

  it('redeem a code at most once when both receive it at the same time', async () => {
    const ada = await one.registerHuman()
    const program = new Program(PUBLIC.PUBLIC_URL, one.url)
    await program.register()
    const back = await new Browser(via(one)).consent(program.authorizeUrl(), ada.api_key, allOf(ada))
    const code = back.searchParams.get('code') ?? ''
    const redeemed = await Promise.all([one, other].map(({ url }) => program.redeem(code, {}, url)))
    expect(redeemed.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  })

  it('restrict their cookies to one path, HTTPS and the same site', async () => {
    const program = new Program(PUBLIC.PUBLIC_URL, one.url)
    await program.register()
    const answer = await fetch(via(one)(program.authorizeUrl()), { redirect: 'manual' })
    const cookies = answer.headers.getSetCookie()
    expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual([
      'oauth_consent',
      'oauth_consent.sig',
      'oauth_resume',
      'oauth_resume.sig',
    ])
    for (const cookie of cookies) {
      expect(cookie).toMatch(/; path=\/(connect|oauth\/authorize)\/[\w-]+;/)
      expect(cookie).toMatch(/; samesite=lax; secure; httponly/i)
    }
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(answer.headers.get('x-request-id')).not.toBeNull()
  })
})

describe.each([
  ['without a public URL', { HOST: '0.0.0.0' }, 'PUBLIC_URL is not set'],
  ['without TLS', { PUBLIC_URL: 'http://spaces.example.org' }, 'PUBLIC_URL does not begin with https'],
])('a server %s', (_name, environment: Record<string, string>, reason) => {
  const h = useServer(environment)

  it('returns 404 with the reason that OAuth is off, and accepts API keys', async () => {
    await h.get('/.well-known/oauth-protected-resource/mcp').expect(404, `OAuth is off: ${reason}`)
    await h.get('/.well-known/oauth-authorization-server').expect(404, `OAuth is off: ${reason}`)
    await h.post('/oauth/token', {}).expect(404, `OAuth is off: ${reason}`)
    const { api_key } = await h.registerHuman()
    const stranger = await fetch(`${h.url}/mcp`, { method: 'POST', headers: ACCEPT, body: '{}' })
    expect([stranger.status, stranger.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(await call(api_key, h.url)).toBe(200)
  })
})

describe('a server behind a proxy', () => {
  const h = useServer({ ...PUBLIC, TRUST_PROXY: '1' })

  it('accepts 100 registrations of clients per address and hour', async () => {
    const register = async (address: string) => {
      const answer = await fetch(`${h.url}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify({ redirect_uris: ['https://host.example/callback'] }),
      })
      return answer.status
    }
    const statuses = await Promise.all(Array.from({ length: 101 }, () => register('203.0.113.9')))
    expect(statuses.filter((status) => status === 201)).toHaveLength(100)
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
    expect(await register('203.0.113.10')).toBe(201)
  })
})
