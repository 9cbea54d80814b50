import { type Actor, type Answer, NOTHING, UNKNOWN_ACTOR } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { operatorOf } from './support/operator.js'
import { useServer } from './support/server.js'
import { StreamReader } from './support/stream.js'

const h = useServer()
const operate = operatorOf(h)

const LAST_ADMIN = 'The last admin of a tenant cannot leave its other members: make one of them an admin first'

interface Member extends Actor {
  readonly tenant_id: string
}

async function founder(name = 'Ada'): Promise<Member> {
  const ada = await h.registerHuman(name)
  const { tenant_id } = await h.as(ada).post('/api/tenants', { name: 'Acme' }).expect(200)
  return { ...ada, tenant_id }
}

async function memberOf(admin: Member, display_name = 'Bob'): Promise<Member> {
  const { code } = await h.as(admin).post('/api/invites', {}).expect(200)
  const bob = await h.post('/api/actors', { display_name, email: 'bob@example.org', code }).expect(200)
  return { ...bob, tenant_id: admin.tenant_id }
}

const members = ({ tenant_id }: Member) => `/api/tenants/${tenant_id}/members`
const promote = (admin: Member, actor_id: string, is_admin = true) =>
  h.as(admin).patch(`${members(admin)}/${actor_id}`, { is_admin })
const leave = (member: Member) => h.as(member).post(`/api/tenants/${member.tenant_id}/leave`)
const tenantOf = async (actor: Actor) => (await h.as(actor).get('/api/actors/me').expect(200)).tenant_id

describe('GET /api/tenants/{tenant_id}/members', () => {
  it('lists humans and agents, oldest first, and who is an admin', async () => {
    const ada = await founder()
    const bob = await memberOf(ada)
    const scout = await h.registerAgent(bob)
    const listed = await h.as(scout).get(members(ada)).expect(200)
    expect(listed).toMatchObject([
      { actor_id: ada.actor_id, display_name: 'Ada', actor_type: 'human', sponsor_id: null, is_admin: true },
      { actor_id: bob.actor_id, display_name: 'Bob', actor_type: 'human', sponsor_id: null, is_admin: false },
      { actor_id: scout.actor_id, display_name: 'Scout', actor_type: 'agent', sponsor_id: bob.actor_id },
    ])
    expect(listed[0]).not.toHaveProperty('email')
  })

  it('omits actors that were deleted or left the tenant', async () => {
    const ada = await founder()
    const [bob, grace] = [await memberOf(ada), await memberOf(ada, 'Grace')]
    await h.as(bob).delete(`/api/actors/${bob.actor_id}`).expect(200)
    await leave(grace).expect(200)
    expect(await h.as(ada).get(members(ada)).expect(200)).toMatchObject([{ actor_id: ada.actor_id }])
  })

  it('returns 404 to actors outside the tenant', async () => {
    const [ada, eve] = [await founder(), await founder('Eve')]
    await h.as(eve).get(members(ada)).expect(404, 'Tenant not found')
    await h.as(ada).get(`/api/tenants/${NOTHING}/members`).expect(404, 'Tenant not found')
  })
})

describe('PATCH /api/tenants/{tenant_id}/members/{actor_id}', () => {
  it('grants and withdraws the rights of an admin, and records each change once', async () => {
    const ada = await founder()
    const bob = await memberOf(ada)
    await h.as(bob).post('/api/invites', {}).expect(403)
    for (let n = 0; n < 2; n++) expect(await promote(ada, bob.actor_id).expect(200)).toMatchObject({ is_admin: true })
    await h.as(bob).post('/api/invites', {}).expect(200)
    await promote(bob, ada.actor_id, false).expect(200)
    await h.as(ada).post('/api/invites', {}).expect(403)
    const acts = await h.as(bob).get('/api/audit?limit=3').expect(200)
    expect(acts).toMatchObject([
      { action: 'admin.withdrawn', subject_id: ada.actor_id, actor_id: bob.actor_id },
      { action: 'invite.created' },
      { action: 'admin.granted', subject_id: bob.actor_id, actor_id: ada.actor_id },
    ])
  })

  it('leaves one admin, even when two withdraw each other’s rights at once', async () => {
    const ada = await founder()
    await promote(ada, ada.actor_id, false).expect(409, 'The last admin of a tenant cannot step down')
    const bob = await memberOf(ada)
    await promote(ada, bob.actor_id).expect(200)
    await Promise.all([promote(ada, bob.actor_id, false), promote(bob, ada.actor_id, false)])
    const listed: { is_admin: boolean }[] = await h.as(ada).get(members(ada)).expect(200)
    expect(listed.filter(({ is_admin }) => is_admin)).toHaveLength(1)
  })

  it('refuses callers that are no admins, and subjects that are no humans of the tenant', async () => {
    const [ada, eve] = [await founder(), await founder('Eve')]
    const bob = await memberOf(ada)
    const scout = await h.registerAgent(ada)
    await promote(bob, bob.actor_id).expect(403, 'Only an admin of the tenant may do this')
    await promote({ ...eve, tenant_id: ada.tenant_id }, eve.actor_id).expect(404, 'Tenant not found')
    await promote(ada, scout.actor_id).expect(400, 'actor_id: must be a human; an agent cannot be an admin')
    for (const id of [eve.actor_id, UNKNOWN_ACTOR]) await promote(ada, id).expect(404, 'Actor not found')
    await h
      .as(ada)
      .patch(`${members(ada)}/${bob.actor_id}`, {})
      .expect(400, 'is_admin: is required')
    await h
      .as(ada)
      .patch(`${members(ada)}/${bob.actor_id}`, { is_admin: 'perhaps' })
      .expect(400)
  })
})

describe('POST /api/tenants/{tenant_id}/leave', () => {
  it('moves a human with its agents to the shared default tenant, and closes their streams', async () => {
    const ada = await founder()
    const bob = await memberOf(ada)
    const scout = await h.registerAgent(bob)
    const space = await h.openSpace(ada)
    const streams = [await StreamReader.open(h.as(bob), space), await StreamReader.open(h.as(scout), space)]
    expect(await leave(bob).expect(200)).toEqual({ ok: true })
    for (const stream of streams) await stream.ended
    expect([await tenantOf(bob), await tenantOf(scout)]).toEqual([null, null])
    await h.as(bob).get(`${space}/status`).expect(404)
    await leave(bob).expect(404, 'Tenant not found')
  })

  it('refuses agents, and a tenant that the caller is not in', async () => {
    const ada = await founder()
    const scout = await h.registerAgent(ada)
    await leave({ ...scout, tenant_id: ada.tenant_id }).expect(403, 'Only a human actor may do this')
    await leave({ ...ada, tenant_id: (await founder('Eve')).tenant_id }).expect(404, 'Tenant not found')
    await leave({ ...ada, tenant_id: NOTHING }).expect(404, 'Tenant not found')
  })
})

/** Every way in which a human can leave a tenant. */
const WAYS: readonly (readonly [string, (member: Member) => Promise<Answer>])[] = [
  ['leaving', async (member) => leave(member)],
  ['creating another tenant', async (member) => h.as(member).post('/api/tenants', { name: 'Other' })],
  [
    'redeeming an invite',
    async (member) => {
      const host = await founder('Host')
      const { code } = await h.as(host).post('/api/invites', {}).expect(200)
      return h.as(member).post('/api/invites/redeem', { code })
    },
  ],
  ['deleting its account', async (member) => h.as(member).delete(`/api/actors/${member.actor_id}`)],
]

describe.each(WAYS)('%s, as the last admin of a tenant,', (_, go) => {
  it('is refused if other humans would have no admin', async () => {
    const ada = await founder()
    const bob = await memberOf(ada)
    ;(await go(ada)).expect(409, LAST_ADMIN)
    expect(await tenantOf(ada)).toBe(ada.tenant_id)
    await promote(ada, bob.actor_id).expect(200)
    ;(await go(ada)).expect(200)
    expect(await h.as(bob).get(members(ada)).expect(200)).toMatchObject([{ actor_id: bob.actor_id }])
  })

  it('succeeds when all other humans are disabled', async () => {
    const ada = await founder()
    await h.registerAgent(ada)
    const bob = await memberOf(ada)
    await operate('actor', 'disable', bob.actor_id)
    ;(await go(ada)).expect(200)
  })

  it('is refused to one of two admins at the same time', async () => {
    for (let n = 0; n < 3; n++) {
      const ada = await founder()
      const [grace, bob] = [await memberOf(ada, 'Grace'), await memberOf(ada)]
      await promote(ada, grace.actor_id).expect(200)
      const answers = await Promise.all([go(ada), go(grace)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      const listed: { is_admin: boolean }[] = await h.as(bob).get(members(ada)).expect(200)
      expect(listed.filter(({ is_admin }) => is_admin)).toHaveLength(1)
    }
  })
})

describe('POST /api/spaces/{space_id}/leave', () => {
  it('ends a participation, and keeps the events', async () => {
    const { ada, client, path } = await h.adasSpace()
    const bob = await h.registerHuman('Bob')
    for (const actor of [ada, bob]) await h.as(actor).post(`${path}/join`).expect(200)
    const event = await h.as(bob).post(`${path}/speech`, { text: 'Goodbye' }).expect(200)
    for (let n = 0; n < 2; n++) expect(await h.as(bob).post(`${path}/leave`).expect(200)).toEqual({ ok: true })
    expect(await client.get(`${path}/participants`).expect(200)).toMatchObject([{ actor_id: ada.actor_id }])
    expect(await h.as(bob).get('/api/actors/me/spaces').expect(200)).toEqual([])
    expect(await client.get(`${path}/events`).expect(200)).toEqual([event])
  })

  it('works in an archived space', async () => {
    const { client, path } = await h.adasSpace()
    await client.post(`${path}/join`).expect(200)
    await client.post(`${path}/archive`).expect(200)
    await client.post(`${path}/leave`).expect(200)
    expect(await client.get(`${path}/participants`).expect(200)).toEqual([])
  })
})
