import { describe, expect, it } from 'vitest'
import { useServer } from './support/server.js'
import { ACCEPT, toolCall } from './support/tool-call.js'

const h = useServer({ PUBLIC_URL: 'https://spaces.example.org' })
const REFUSED = 'A page of another origin can register only with an invite'

/** Headers that a browser adds for a page of another origin. */
const FOREIGN = [
  ['another origin', { origin: 'https://evil.example' }],
  ['an opaque origin', { origin: 'null' }],
  ['another port of this machine', { origin: 'http://127.0.0.1:1' }],
  ['the public host with another scheme', { origin: 'http://spaces.example.org' }],
  ['a host that only begins with the public one', { origin: 'https://spaces.example.org.evil.example' }],
  ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }],
] as const

const human = { display_name: 'Ada', email: 'ada@example.org' }

const register = (headers: Record<string, string>, more: object = {}) =>
  h.post('/api/actors', { ...human, ...more }, { headers })

describe.each(FOREIGN)('a page with %s', (_, headers) => {
  it('cannot register a human, over REST or typed calls', async () => {
    await register(headers).expect(403, REFUSED)
    await register({ ...headers, 'content-type': 'text/plain' }).expect(403, REFUSED)
    const typed = await h.post('/trpc/actor.register', human, { headers })
    expect(typed.status).toBe(403)
    expect(typed.body.error.data.detail).toBe(REFUSED)
  })

  it('can send other requests with a credential', async () => {
    const ada = await h.registerHuman()
    await h.as(ada).get('/api/actors/me', { headers }).expect(200)
    await h.as(ada).post('/api/actors', { display_name: 'Scout', actor_type: 'agent' }, { headers }).expect(200)
  })

  it('cannot use the MCP server, even with a credential', async () => {
    const ada = await h.registerHuman()
    const answer = await h.as(ada).post('/mcp', toolCall('whoami'), { headers: { ...ACCEPT, ...headers } })
    answer.expect(403, /^Pages of this origin may not use the MCP server/)
  })

  it('can register with an invite', async () => {
    const ada = await h.registerHuman()
    await h.as(ada).post('/api/tenants', { name: 'Acme' }).expect(200)
    const { code } = await h.as(ada).post('/api/invites', {}).expect(200)
    await register(headers, { code }).expect(200)
  })
})

describe('a page of this server', () => {
  it.each(['same-origin', 'same-site', 'none'])('can register a human with Sec-Fetch-Site: %s', async (site) => {
    await register({ 'sec-fetch-site': site }).expect(200)
  })

  it('can register a human by the public origin and the requested one', async () => {
    for (const origin of ['https://spaces.example.org', h.url]) await register({ origin }).expect(200)
  })
})
