import { setTimeout as delay } from 'node:timers/promises'
import type { Actor } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { hold } from './support/held-request.js'
import { useServer } from './support/server.js'
import { ACCEPT, toolCall } from './support/tool-call.js'

const h = useServer()

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
    const held = await hold(h.as(ada), path(ada), body)
    // Longer than a body takes that is only on its way.
    const { api_key } = await later(() => h.as(ada).post(`/api/actors/${ada.actor_id}/rotate-key`).expect(200))
    expect(await held.finish()).toMatchObject({ status: 401, detail: 'Authentication required' })
    const now = h.as(api_key)
    expect(await now.get('/api/actors/me').expect(200)).toMatchObject({ actor_id: ada.actor_id, tenant_id: null })
    for (const list of ['/api/actors/me/agents', '/api/personal-access-tokens']) {
      expect(await now.get(list).expect(200)).toEqual([])
    }
    if ('space_id' in body) await now.get(`/api/spaces/${body.space_id}/status`).expect(404)
  })

  it('is answered when its credential is still good', async () => {
    const ada = await h.registerHuman()
    const held = await hold(h.as(ada), path(ada), body)
    const { status } = await later(() => held.finish())
    expect([200, 404]).toContain(status)
  })
})

it('the call of a tool, held open, is refused when its credential has ended meanwhile, and says nothing', async () => {
  const ada = await h.registerHuman()
  const space = await h.openSpace(ada)
  const say = toolCall('say', { space_id: space.split('/').at(-1), text: 'too late' })
  const held = await hold(h.as(ada), '/mcp', say, { ...ACCEPT, 'content-type': 'application/json' })
  const { api_key } = await later(() => h.as(ada).post(`/api/actors/${ada.actor_id}/rotate-key`).expect(200))
  expect((await held.finish()).text).toContain('Authentication required')
  expect(await h.as(api_key).get(`${space}/events`).expect(200)).toEqual([])
})

it('a request held open while its caller moves writes nothing into the tenant that was left', async () => {
  const [ada, bob] = [await h.registerHuman('Ada'), await h.registerHuman('Bob')]
  const space = await h.openSpace(bob)
  const held = await hold(h.as(ada), `${space}/speech`, { text: 'too late' })
  await later(() => h.as(ada).post('/api/tenants', { name: 'Elsewhere' }).expect(200))
  expect(await held.finish()).toMatchObject({ status: 404, detail: 'Space not found' })
  expect(await h.as(bob).get(`${space}/events`).expect(200)).toEqual([])
})

/**
 * After the time that an input may take without a second look at its caller, which begins when the server has looked: on
 * a busy machine, later than here.
 */
async function later<T>(act: () => Promise<T>): Promise<T> {
  await delay(1_000)
  return act()
}
