import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Actor } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { useServer } from './support/server.js'

const h = useServer()

interface Held {
  /** Sends the rest of the body; the status and the detail of the answer. */
  finish(): Promise<{ status: number | undefined; detail: string }>
}

/** A request that has begun with a good credential, and whose body is not whole yet. */
async function hold(path: string, { api_key }: Actor, body: object): Promise<Held> {
  const bytes = JSON.stringify(body)
  const headers = { authorization: `Bearer ${api_key}`, 'content-length': bytes.length }
  const held = request(h.url + path, { method: 'POST', headers })
  held.write(bytes.slice(0, 1))
  await once(held, 'socket')
  return {
    async finish() {
      held.end(bytes.slice(1))
      const [response] = (await once(held, 'response')) as [IncomingMessage]
      return { status: response.statusCode, detail: JSON.parse(await text(response)).detail }
    },
  }
}

/** What would outlive the credential that asked for it. */
const MAKERS: readonly [title: string, path: (ada: Actor) => string, body: object][] = [
  ['an event', () => '/api/spaces/held/speech', { text: 'too late' }],
  ['a space', () => '/api/spaces', { space_id: 'too-late' }],
  ['a token', () => '/api/personal-access-tokens', { name: 'too late' }],
  ['a key', ({ actor_id }) => `/api/actors/${actor_id}/rotate-key`, {}],
  ['an agent', () => '/api/actors', { display_name: 'Too Late', actor_type: 'agent' }],
  ['a tenant', () => '/api/tenants', { name: 'Too Late' }],
]

describe.each(MAKERS)('a request for %s, held open', (_title, path, body) => {
  it('is refused when its credential has ended meanwhile, and makes nothing', async () => {
    const ada = await h.registerHuman()
    const held = await hold(path(ada), ada, body)
    // Longer than a body takes that is only on its way.
    const rotated = await later(() => h.as(ada).post(`/api/actors/${ada.actor_id}/rotate-key`))
    expect(await held.finish()).toEqual({ status: 401, detail: 'Authentication required' })
    const { api_key } = rotated.body
    expect((await h.as(api_key).get('/api/actors/me')).body).toMatchObject({ actor_id: ada.actor_id, tenant_id: null })
    for (const list of ['/api/actors/me/agents', '/api/personal-access-tokens']) {
      expect((await h.as(api_key).get(list)).body).toEqual([])
    }
    if ('space_id' in body) expect((await h.as(api_key).get(`/api/spaces/${body.space_id}/status`)).status).toBe(404)
  })

  it('is answered when its credential is still good', async () => {
    const ada = await h.registerHuman()
    const held = await hold(path(ada), ada, body)
    const { status } = await later(() => held.finish())
    expect([200, 404]).toContain(status)
  })
})

/** After the time that an input may take without a second look at its caller. */
const later = async <T>(act: () => Promise<T>): Promise<T> => {
  await new Promise((resolve) => setTimeout(resolve, 150))
  return act()
}
