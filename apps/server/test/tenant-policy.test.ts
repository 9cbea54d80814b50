import { type Actor, NOTHING } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { useServer } from './support/server.js'

const h = useServer()

let ada: Awaited<ReturnType<typeof h.registerHuman>>
let tenant: string

beforeAll(async () => {
  ada = await h.registerHuman('Ada')
  const { tenant_id } = await h.as(ada).post('/api/tenants', { name: 'Acme' }).expect(200)
  tenant = `/api/tenants/${tenant_id}`
})

describe("a tenant's policy", () => {
  it('has restrictive defaults, which its members can read', async () => {
    const expected = { tenant_id: tenant.split('/').at(-1), attribution: 'no_members', agent_scopes: null }
    expect(await h.as(ada).get(`${tenant}/policy`).expect(200)).toMatchObject(expected)
    const scout = await h.registerAgent(ada)
    expect(await h.as(scout).get(`${tenant}/policy`).expect(200)).toMatchObject(expected)
  })

  it('is changed by an admin, and omitted fields stay the same', async () => {
    expect(await h.as(ada).put(`${tenant}/policy`, { attribution: 'none' }).expect(200)).toMatchObject({
      attribution: 'none',
    })
    expect(await h.as(ada).put(`${tenant}/policy`, {}).expect(200)).toMatchObject({ attribution: 'none' })
    expect(await h.as(ada).get(`${tenant}/policy`).expect(200)).toMatchObject({ attribution: 'none' })
  })

  it('is in the security log with the values before and after a change', async () => {
    await h.as(ada).put(`${tenant}/policy`, { attribution: 'free' }).expect(200)
    const [entry] = await h.as(ada).get('/api/audit?limit=1').expect(200)
    expect(entry).toMatchObject({
      action: 'tenant.policy_changed',
      actor_id: ada.actor_id,
      details: { before: { attribution: 'none' }, after: { attribution: 'free' } },
    })
  })

  it('limits the scopes of agents, unless an admin grants more', async () => {
    const member = await h.registerHuman('Mal')
    const { code } = await h.as(ada).post('/api/invites', {}).expect(200)
    await h.as(member).post('/api/invites/redeem', { code }).expect(200)
    const agent_scopes = ['read', 'write']
    expect(await h.as(ada).put(`${tenant}/policy`, { agent_scopes }).expect(200)).toMatchObject({ agent_scopes })
    const agent = { display_name: 'Scout', actor_type: 'agent' }
    const make = (maker: Actor, scopes?: string[]) => h.as(maker).post('/api/actors', { ...agent, scopes })
    const refusal = 'The tenant lets agents have only read, write; an admin of it may give more'
    const scout = await make(member).expect(200)
    expect(scout).toMatchObject({ scopes: agent_scopes })
    await make(member, ['read', 'settle']).expect(403, refusal)
    const [code_, key] = ['/api/agent-codes', `/api/actors/${scout.actor_id}/rotate-key`]
    await h
      .as(member)
      .post(code_, { display_name: 'Scout', scopes: ['settle'] })
      .expect(403, refusal)
    expect(await h.as(member).post(code_, { display_name: 'Scout' }).expect(200)).toMatchObject({
      scopes: agent_scopes,
    })
    await h
      .as(member)
      .post(key, { scopes: ['manage'] })
      .expect(403, refusal)
    expect(await make(ada).expect(200)).toMatchObject({ scopes: agent_scopes })
    expect(await make(ada, ['settle']).expect(200)).toMatchObject({ scopes: ['settle'] })
    await h
      .as(ada)
      .put(`${tenant}/policy`, { agent_scopes: [] })
      .expect(400, /^agent_scopes: /)
    expect(await h.as(ada).put(`${tenant}/policy`, { agent_scopes: null }).expect(200)).toMatchObject({
      agent_scopes: null,
    })
    await make(member, ['settle']).expect(200)
  })

  it('cannot be read or changed by non-members', async () => {
    const bob = await h.registerHuman('Bob')
    await h.as(bob).get(`${tenant}/policy`).expect(404, 'Tenant not found')
    await h
      .as(bob)
      .put(`${tenant}/policy`, { attribution: 'free' })
      .expect(403, 'Only an admin of the tenant may do this')
    await h.as(ada).put(`/api/tenants/${NOTHING}/policy`, { attribution: 'free' }).expect(404, 'Tenant not found')
    await h
      .as(ada)
      .put(`${tenant}/policy`, { attribution: 'all' })
      .expect(400, /^attribution: /)
  })
})
