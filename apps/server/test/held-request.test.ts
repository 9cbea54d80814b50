import { setTimeout as delay } from 'node:timers/promises'
import { type Actor, eventually } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { hold } from './support/held-request.js'
import { useServer } from './support/server.js'
import { ACCEPT, toolCall } from './support/tool-call.js'

const h = useServer()

const REGISTRATION = '/api/actors'

/** Requests that create something, which would outlive their credential. */
const MAKERS: readonly [title: string, path: (ada: Actor) => string, body: object][] = [
  ['an event', () => '/api/spaces/held/speech', { text: 'too late' }],
  ['a space', () => '/api/spaces', { space_id: 'too-late' }],
  ['a token', () => '/api/personal-access-tokens', { name: 'too late' }],
  ['a key', ({ actor_id }) => `/api/actors/${actor_id}/rotate-key`, {}],
  ['an agent', () => REGISTRATION, { display_name: 'Too Late', actor_type: 'agent' }],
  ['a tenant', () => '/api/tenants', { name: 'Too Late' }],
]

describe.each(MAKERS)('an unfinished request for %s', (_title, path, body) => {
  it('gets 401 when its credential ends before the body, and creates nothing', async () => {
    const { ada, held } = await heldBy(path, body)
    const { api_key } = await signOut(ada)
    expect(await held.finish()).toMatchObject({ status: 401, detail: 'Authentication required' })
    const now = h.as(api_key)
    expect(await now.get('/api/actors/me').expect(200)).toMatchObject({ actor_id: ada.actor_id, tenant_id: null })
    for (const list of ['/api/actors/me/agents', '/api/personal-access-tokens']) {
      expect(await now.get(list).expect(200)).toEqual([])
    }
    if ('space_id' in body) await now.get(`/api/spaces/${body.space_id}/status`).expect(404)
  })

  it('is answered while its credential is valid', async () => {
    const { held } = await heldBy(path, body)
    const { status } = await held.finish()
    expect([200, 404]).toContain(status)
  })
})

it('an unfinished tool call is rejected when its credential ends before the body, and posts nothing', async () => {
  const ada = await h.registerHuman()
  const space = await h.openSpace(ada)
  const say = toolCall('say', { space_id: space.split('/').at(-1), text: 'too late' })
  const held = await letIn(ada, '/mcp', say, { ...ACCEPT, 'content-type': 'application/json' })
  const { api_key } = await signOut(ada)
  expect((await held.finish()).text).toContain('Authentication required')
  expect(await h.as(api_key).get(`${space}/events`).expect(200)).toEqual([])
})

it.each([
  ['is disabled', { method: 'PATCH', under: '', body: { disabled: true } }, 403],
  ['gets a new secret', { method: 'POST', under: '/rotate-secret', body: {} }, 401],
  ['is deleted', { method: 'DELETE', under: '', body: undefined }, 404],
] as const)(
  'an unfinished request to an incoming webhook is rejected when the webhook %s before the body ends',
  async (_what, act, status) => {
    const ada = await h.registerHuman()
    const space = await h.openSpace(ada)
    const made = await h.as(ada).post(`${space}/incoming-webhooks`, { name: 'CI', format: 'json' }).expect(200)
    const held = await hold(h.as(made.secret), new URL(made.url).pathname, { text: 'too late' })
    await delay(LATE_MS)
    const webhook = `${space}/incoming-webhooks/${made.incoming_webhook_id}`
    await h
      .as(ada)
      .send(act.method, webhook + act.under, act.body)
      .expect(200)
    expect(await held.finish()).toMatchObject({ status })
    expect(await h.as(ada).get(`${space}/events`).expect(200)).toEqual([])
  },
)

it('an unfinished request of a caller who moves posts nothing into the former tenant', async () => {
  const [ada, bob] = [await h.registerHuman('Ada'), await h.registerHuman('Bob')]
  const space = await h.openSpace(bob)
  const held = await letIn(ada, `${space}/speech`, { text: 'too late' })
  await h.as(ada).post('/api/tenants', { name: 'Elsewhere' }).expect(200)
  expect(await held.finish()).toMatchObject({ status: 404, detail: 'Space not found' })
  expect(await h.as(bob).get(`${space}/events`).expect(200)).toEqual([])
})

/** Longer than a body may take without a second check of its caller. */
const LATE_MS = 300

/** Sends a request without the end of its body, with a new token of Ada, and waits until it is admitted. */
async function letIn(ada: Actor, path: string, body: object, headers?: Readonly<Record<string, string>>) {
  const { token } = await h.as(ada).post('/api/personal-access-tokens', { name: 'held' }).expect(200)
  const held = await hold(h.as(token), path, body, headers)
  // A registration has no check of its caller before the body.
  if (path === REGISTRATION) return held
  // The server records the use of a token at the check, which a busy machine may do late.
  await eventually(async () => {
    const [newest] = await h.as(ada).get('/api/personal-access-tokens').expect(200)
    return newest.last_used_at !== null
  })
  await delay(LATE_MS)
  return held
}

async function heldBy(path: (ada: Actor) => string, body: object) {
  const ada = await h.registerHuman()
  return { ada, held: await letIn(ada, path(ada), body) }
}

const signOut = (ada: Actor) =>
  h.as(ada).post(`/api/actors/${ada.actor_id}/rotate-key`, { revoke_tokens: true }).expect(200)
