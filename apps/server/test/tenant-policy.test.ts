import { NOTHING } from '@collab-spaces/testing'
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
  it('starts with careful defaults, which its members see', async () => {
    const expected = { tenant_id: tenant.split('/').at(-1), claims: 'no_members' }
    expect(await h.as(ada).get(`${tenant}/policy`).expect(200)).toMatchObject(expected)
    const scout = await h.registerAgent(ada)
    expect(await h.as(scout).get(`${tenant}/policy`).expect(200)).toMatchObject(expected)
  })

  it('is changed by an admin, and keeps what is left out', async () => {
    expect(await h.as(ada).put(`${tenant}/policy`, { claims: 'none' }).expect(200)).toMatchObject({ claims: 'none' })
    expect(await h.as(ada).put(`${tenant}/policy`, {}).expect(200)).toMatchObject({ claims: 'none' })
    expect(await h.as(ada).get(`${tenant}/policy`).expect(200)).toMatchObject({ claims: 'none' })
  })

  it('stands in the security log with the values before and after a change', async () => {
    await h.as(ada).put(`${tenant}/policy`, { claims: 'free' }).expect(200)
    const [entry] = await h.as(ada).get('/api/audit?limit=1').expect(200)
    expect(entry).toMatchObject({
      action: 'tenant.policy_changed',
      actor_id: ada.actor_id,
      details: { before: { claims: 'none' }, after: { claims: 'free' } },
    })
  })

  it('is not for others to see or to change', async () => {
    const bob = await h.registerHuman('Bob')
    await h.as(bob).get(`${tenant}/policy`).expect(404, 'Tenant not found')
    await h.as(bob).put(`${tenant}/policy`, { claims: 'free' }).expect(403, 'Only an admin of the tenant may do this')
    await h.as(ada).put(`/api/tenants/${NOTHING}/policy`, { claims: 'free' }).expect(404, 'Tenant not found')
    await h
      .as(ada)
      .put(`${tenant}/policy`, { claims: 'all' })
      .expect(400, /^claims: /)
  })
})
