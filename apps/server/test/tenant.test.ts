import { type Actor, NOTHING } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { TIMESTAMP, UUID_V4 } from './support/form.js'
import { useServer } from './support/server.js'
import { StreamReader } from './support/stream.js'
import { setTenantStatus } from './support/tenant.js'

const h = useServer()

const found = (actor: Actor, name = 'Acme') => h.as(actor).post('/api/tenants', { name }).expect(200)
const me = (actor: Actor) => h.as(actor).get('/api/actors/me').expect(200)

describe('POST /api/tenants', () => {
  it('creates a tenant and moves its creator into it', async () => {
    const ada = await h.registerHuman()
    expect((await me(ada)).tenant_id).toBeNull()
    const tenant = await found(ada, '  Ünïcode & Söhne GmbH ')
    expect(tenant).toEqual({
      tenant_id: expect.stringMatching(UUID_V4),
      name: 'Ünïcode & Söhne GmbH',
      schema_name: expect.stringMatching(/^tenant_unicode_sohne_gmbh_[0-9a-f]{8}$/),
      status: 'active',
      created_at: expect.stringMatching(TIMESTAMP),
    })
    expect(await me(ada)).toMatchObject({ tenant_id: tenant.tenant_id, default_space_id: null })
  })

  it.each(['株式会社', 'x'.repeat(100), '!!!', '1'])('gives %j a schema name that PostgreSQL accepts', async (name) => {
    const { schema_name } = await found(await h.registerHuman(), name)
    expect(schema_name).toMatch(/^tenant_(?:[a-z0-9_]{1,40}_)?[0-9a-f]{8}$/)
  })

  it('moves the agents of the creator too, and no other actor', async () => {
    const [ada, bob] = [await h.registerHuman('Ada'), await h.registerHuman('Bob')]
    const [scout, other] = [await h.registerAgent(ada), await h.registerAgent(bob)]
    const { tenant_id } = await found(ada)
    expect((await me(scout)).tenant_id).toBe(tenant_id)
    expect((await me(bob)).tenant_id).toBeNull()
    expect((await me(other)).tenant_id).toBeNull()
    expect((await me(await h.registerAgent(ada))).tenant_id).toBe(tenant_id)
  })

  it('leaves the old spaces behind: 404 for the creator, unchanged for their other members', async () => {
    const [ada, bob] = [await h.registerHuman('Ada'), await h.registerHuman('Bob')]
    const space = await h.openSpace(ada)
    await h.as(ada).post(`${space}/join`).expect(200)
    const event = await h.as(ada).post(`${space}/speech`, { text: 'hello' }).expect(200)
    await found(ada)
    await h.as(ada).get(`${space}/status`).expect(404, 'Space not found')
    await h.as(ada).get(`${space}/events/${event.event_id}`).expect(404)
    expect(await h.as(ada).get('/api/spaces').expect(200)).toEqual([])
    expect(await h.as(ada).get('/api/actors/me/spaces').expect(200)).toEqual([])
    expect(await h.as(bob).get(`${space}/events`).expect(200)).toEqual([event])
    expect(await h.as(bob).get(`${space}/participants`).expect(200)).toMatchObject([{ actor_id: ada.actor_id }])
  })

  it('ends the streams of the creator and its agents in the previous tenant', async () => {
    const ada = await h.registerHuman()
    const scout = await h.registerAgent(ada)
    const bob = await h.registerHuman('Bob')
    const space = await h.openSpace(ada)
    const [left, alsoLeft, stayed] = [
      await StreamReader.open(h.as(ada), space),
      await StreamReader.open(h.as(scout), space),
      await StreamReader.open(h.as(bob), space),
    ]
    await found(ada)
    await left.ended
    await alsoLeft.ended
    await h.as(bob).post(`${space}/speech`, { text: 'only us now' }).expect(200)
    await stayed.read(1)
    expect([...left.events, ...alsoLeft.events]).toEqual([])
    await stayed.close()
  })

  it('may be repeated, and moves the creator again', async () => {
    const ada = await h.registerHuman()
    const first = await found(ada, 'First')
    const space = await h.openSpace(ada, 'same-name')
    const second = await found(ada, 'Second')
    expect((await me(ada)).tenant_id).toBe(second.tenant_id)
    await h.as(ada).get(`${space}/status`).expect(404)
    await h.as(ada).get(`/api/tenants/${first.tenant_id}`).expect(403)
    await h.as(ada).get(`/api/tenants/${second.tenant_id}`).expect(200)
    // An id is unique within its tenant only.
    await h.openSpace(ada, 'same-name')
  })

  it('returns 400 without a valid name', async () => {
    const ada = await h.registerHuman()
    for (const body of [{}, { name: '' }, { name: '  ' }, { name: 'x'.repeat(101) }, { name: 7 }]) {
      await h
        .as(ada)
        .post('/api/tenants', body)
        .expect(400, /^name: /)
    }
    expect((await me(ada)).tenant_id).toBeNull()
  })
})

describe('GET /api/tenants/{tenant_id}', () => {
  it('shows the tenant to its members, humans and agents', async () => {
    const ada = await h.registerHuman()
    const tenant = await found(ada)
    for (const actor of [ada, await h.registerAgent(ada)]) {
      expect(await h.as(actor).get(`/api/tenants/${tenant.tenant_id}`).expect(200)).toEqual(tenant)
    }
  })

  it('returns 403 to non-members, and 404 for an unknown tenant', async () => {
    const [ada, bob, cleo] = [await h.registerHuman('Ada'), await h.registerHuman('Bob'), await h.registerHuman('Cleo')]
    const { tenant_id } = await found(ada)
    await found(bob, 'Other')
    for (const actor of [bob, cleo]) {
      const answer = await h.as(actor).get(`/api/tenants/${tenant_id}`)
      answer.expect(403)
      expect(answer.text).not.toContain('Acme')
    }
    for (const id of [NOTHING, 'nothing']) await h.as(ada).get(`/api/tenants/${id}`).expect(404, 'Tenant not found')
  })

  it('returns 404 for the shared default tenant', async () => {
    await h
      .as(await h.registerHuman())
      .get('/api/tenants/00000000-0000-4000-8000-000000000000')
      .expect(404)
  })
})

describe('a tenant', () => {
  it('that is suspended returns 403 to its actors with any credential, and their streams end', async () => {
    const ada = await h.registerHuman()
    const { tenant_id } = await found(ada)
    const scout = await h.registerAgent(ada)
    const space = await h.openSpace(ada)
    const { token } = await h.as(ada).post('/api/personal-access-tokens', { name: 'x' }).expect(200)
    const streams = [await StreamReader.open(h.as(ada), space), await StreamReader.open(h.as(scout), space)]
    await setTenantStatus(h.connection, tenant_id, 'suspended')
    for (const credential of [ada.api_key, scout.api_key, token]) {
      const client = h.as(credential)
      const answers = [
        await client.get('/api/actors/me'),
        await h.get(`/api/spaces?token=${credential}`),
        await client.get(`${space}/events/stream`),
        await client.post(`${space}/speech`, {}),
        await client.post('/api/tenants', { name: 'Escape' }),
        await client.post('/api/invites/redeem', { code: 'x' }),
        await client.get('/api/personal-access-tokens'),
        await client.delete(`/api/actors/${ada.actor_id}`),
      ]
      for (const answer of answers) answer.expect(403, 'Tenant is suspended')
    }
    for (const stream of streams) await stream.ended
    await setTenantStatus(h.connection, tenant_id, 'active')
    await h.as(ada).get(`${space}/status`).expect(200)
  })
})

describe('release by an admin', () => {
  it('is allowed to admins of the agent’s tenant', async () => {
    const [ada, bob, mallory] = [
      await h.registerHuman('Ada'),
      await h.registerHuman('Bob'),
      await h.registerHuman('Mallory'),
    ]
    await found(ada)
    await found(mallory, 'Other')
    const { code } = await h.as(ada).post('/api/invites', {}).expect(200)
    await h.as(bob).post('/api/invites/redeem', { code }).expect(200)
    const scout = await h.registerAgent(bob)
    await h.as(scout).post(`/api/actors/${scout.actor_id}/connect`, { installation_id: 'laptop' }).expect(200)
    const release = (actor: Actor, agent = scout) => h.as(actor).post(`/api/actors/${agent.actor_id}/release`)

    await release(mallory).expect(403)
    await release(scout).expect(403)
    expect(await release(ada).expect(200)).toEqual({ agent_id: scout.actor_id, status: 'released' })
    expect(await release(ada).expect(200)).toEqual({ agent_id: scout.actor_id, status: 'already_released' })
    await release(ada, bob).expect(403)
    // An ordinary member is no admin: Bob may release his own agent only.
    await release(bob, await h.registerAgent(ada)).expect(403)
  })

  it('is no longer allowed to an admin that has moved to another tenant', async () => {
    const [ada, bob] = [await h.registerHuman('Ada'), await h.registerHuman('Bob')]
    await found(ada)
    const { code } = await h.as(ada).post('/api/invites', {}).expect(200)
    await found(bob, 'Bobs')
    await h.as(bob).post('/api/invites/redeem', { code }).expect(200)
    await h.as(bob).post('/api/invites', {}).expect(403)
  })
})
