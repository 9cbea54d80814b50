import { type Actor, NOTHING, UNKNOWN_ACTOR } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { operatorOf } from './support/operator.js'
import { useServer } from './support/server.js'
import { StreamReader } from './support/stream.js'

const h = useServer()
const operate = operatorOf(h)

const DEFAULT_SCOPE = '00000000-0000-4000-8000-000000000000'

interface Founder extends Actor {
  readonly tenant_id: string
}

async function founder(name = 'Ada'): Promise<Founder> {
  const ada = await h.registerHuman(name)
  const { tenant_id } = await h.as(ada).post('/api/tenants', { name: 'Acme' }).expect(200)
  return { ...ada, tenant_id }
}

async function memberOf(admin: Actor, display_name = 'Bob'): Promise<Actor> {
  const { code } = await h.as(admin).post('/api/invites', {}).expect(200)
  return await h.post('/api/actors', { display_name, email: 'bob@example.org', code }).expect(200)
}

async function adminWith(admin: Founder, name?: string): Promise<Founder> {
  const other = await memberOf(admin, name)
  await operate('admin', 'grant', other.actor_id)
  return { ...other, tenant_id: admin.tenant_id }
}

const remove = (admin: Founder, { actor_id }: { readonly actor_id: string }) =>
  h.as(admin).delete(`/api/tenants/${admin.tenant_id}/members/${actor_id}`)

const me = (actor: Actor) => h.as(actor).get('/api/actors/me').expect(200)

const auditOf = async (admin: Actor, limit: number) =>
  (await h.as(admin).get(`/api/audit?limit=${limit}`).expect(200)).reverse()

describe('DELETE /api/tenants/{tenant_id}/members/{actor_id}', () => {
  it('moves a human with its agents to the shared tenant, and ends their streams', async () => {
    const ada = await founder()
    const bob = await memberOf(ada)
    const scout = await h.registerAgent(bob)
    const space = await h.openSpace(ada)
    await h.as(bob).post(`${space}/join`).expect(200)
    const event = await h.as(bob).post(`${space}/speech`, { text: 'I was here' }).expect(200)
    const streams = [await StreamReader.open(h.as(bob), space), await StreamReader.open(h.as(scout), space)]

    expect(await remove(ada, bob).expect(200)).toEqual({ ok: true })

    for (const stream of streams) await stream.ended
    for (const actor of [bob, scout]) {
      expect((await me(actor)).tenant_id).toBeNull()
      await h.as(actor).get(`${space}/status`).expect(404)
    }
    expect(await h.as(ada).get(`${space}/events`).expect(200)).toEqual([event])
    expect(await h.as(ada).get(`${space}/participants`).expect(200)).toMatchObject([{ name: 'Bob' }])
    expect(await auditOf(ada, 2)).toMatchObject([
      { action: 'member.removed', subject_id: bob.actor_id, actor_id: ada.actor_id },
      { action: 'member.removed', subject_id: scout.actor_id, actor_id: ada.actor_id },
    ])
    // Bob may no longer create invites.
    await h.as(bob).post('/api/invites', {}).expect(403)
  })

  it('lets an admin remove itself only while another admin remains', async () => {
    const ada = await founder()
    await remove(ada, ada).expect(409, 'The last admin of a tenant cannot be removed')
    const grace = await adminWith(ada, 'Grace')
    await remove(ada, ada).expect(200)
    expect((await me(ada)).tenant_id).toBeNull()
    await remove(grace, grace).expect(409, 'The last admin of a tenant cannot be removed')
  })

  it('keeps one admin when two remove each other at once', async () => {
    const ada = await founder()
    const grace = await adminWith(ada)
    const answers = await Promise.all([remove(ada, grace), remove(grace, ada)])
    const [won, lost] = answers.map(({ status }) => status).sort()
    expect(won).toBe(200)
    // The loser was removed before or while its request ran.
    expect([401, 403]).toContain(lost)
    const tenants = await Promise.all([ada, grace].map(async (actor) => (await me(actor)).tenant_id))
    expect(tenants.filter((tenant) => tenant === ada.tenant_id)).toHaveLength(1)
  })

  it('keeps one admin when two remove themselves at once', async () => {
    for (let n = 0; n < 5; n++) {
      const ada = await founder()
      const grace = await adminWith(ada)
      const answers = await Promise.all([remove(ada, ada), remove(grace, grace)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    }
  })

  it('does not count a disabled admin as the remaining one', async () => {
    const ada = await founder()
    const grace = await adminWith(ada)
    await operate('actor', 'disable', grace.actor_id)
    await remove(ada, ada).expect(409, 'The last admin of a tenant cannot be removed')
    await remove(ada, grace).expect(200)
  })

  it('returns 404 for non-members as for unknown actors, and for unknown tenants', async () => {
    const [ada, eve] = [await founder(), await founder('Eve')]
    const bob = await memberOf(ada)
    await remove(ada, bob).expect(200)
    for (const actor of [eve, bob, { actor_id: UNKNOWN_ACTOR }]) await remove(ada, actor).expect(404, 'Actor not found')
    for (const tenant_id of [NOTHING, DEFAULT_SCOPE]) {
      await remove({ ...ada, tenant_id }, ada).expect(404, 'Tenant not found')
    }
    await remove({ ...eve, tenant_id: ada.tenant_id }, ada).expect(404, 'Tenant not found')
  })

  it('refuses callers who are not admins, and the removal of agents', async () => {
    const ada = await founder()
    const bob = { ...(await memberOf(ada)), tenant_id: ada.tenant_id }
    const scout = await h.registerAgent(bob)
    await remove(bob, ada).expect(403, 'Only an admin of the tenant may do this')
    await remove(bob, bob).expect(403)
    await remove(ada, scout).expect(400, 'actor_id: must be a human; agents leave with their sponsor')
  })
})

describe('operate tenant remove-member', () => {
  it('moves a human to the shared default tenant, with the same refusals', async () => {
    const ada = await founder()
    const bob = await memberOf(ada)
    const [line] = await operate('tenant', 'remove-member', ada.tenant_id, bob.actor_id)
    expect(line).toBe(`${bob.actor_id}: moved from tenant ${ada.tenant_id} to the shared default tenant.`)
    expect((await me(bob)).tenant_id).toBeNull()
    const refusals = [
      [ada.tenant_id, bob.actor_id, 'Actor not found'],
      [ada.tenant_id, ada.actor_id, 'The last admin of a tenant cannot be removed'],
      [NOTHING, ada.actor_id, 'Tenant not found'],
      [DEFAULT_SCOPE, bob.actor_id, 'An actor cannot be removed from the shared default tenant; disable it instead'],
    ]
    for (const [tenant, actor, detail] of refusals as [string, string, string][]) {
      await expect(operate('tenant', 'remove-member', tenant, actor)).rejects.toThrow(detail)
    }
  })
})
