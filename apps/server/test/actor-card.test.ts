import type { Actor } from '@collab-spaces/testing'
import { beforeAll, expect, it } from 'vitest'
import { useServer } from './support/server.js'
import { foundTenant, makeAdmin, moveInto } from './support/tenant.js'

const h = useServer()

let ada: Actor
let scout: Actor
beforeAll(async () => {
  ada = await h.registerHuman('Ada')
  scout = await h.registerAgent(ada, 'Scout')
})

const card = (of: Actor, by: Actor) => h.as(by).get(`/api/actors/${of.actor_id}`)

it('the card of an actor shows its sponsor, its stop and the common spaces', async () => {
  const tenant = await foundTenant(h.connection)
  const [grace, admin] = [await h.registerHuman('Grace'), await h.registerHuman('Admin')]
  const helper = await h.registerAgent(admin, 'Helper')
  await moveInto(h.connection, tenant, grace, admin, helper)
  await makeAdmin(h.connection, admin)
  const space = await h.openSpace(grace)
  for (const one of [grace, helper]) await h.as(one).post(`${space}/join`).expect(200)
  await h.as(admin).post(`/api/actors/${helper.actor_id}/stop`, { reason: 'For tonight' }).expect(200)
  expect(await card(helper, grace).expect(200)).toMatchObject({
    display_name: 'Helper',
    actor_type: 'agent',
    sponsor_id: admin.actor_id,
    sponsor_name: 'Admin',
    is_admin: false,
    connected_at: null,
    stopped: { reason: 'For tonight', stopped_by: admin.actor_id },
    common_spaces: [space.split('/').at(-1)],
  })
  expect(await card(admin, grace).expect(200)).toMatchObject({ is_admin: true, stopped: null, common_spaces: [] })
  await card(scout, grace).expect(404, 'Actor not found')
})

it('the card of an actor in the shared tenant is hidden until both actors share a space', async () => {
  const grace = await h.registerHuman('Grace')
  await card(scout, grace).expect(404, 'Actor not found')
  await card(scout, ada).expect(200)
  await card(ada, scout).expect(200)
  const space = await h.openSpace(grace)
  for (const one of [grace, scout]) await h.as(one).post(`${space}/join`).expect(200)
  expect((await card(scout, grace).expect(200)).common_spaces).toHaveLength(1)
})

it('the card of an actor shows when it was last seen, and its claims in spaces that the caller may read', async () => {
  const [grace, eve] = [await h.registerHuman('Grace'), await h.registerHuman('Eve')]
  const agent = await h.registerAgent(grace, 'Worker')
  const open = await h.openSpace(grace)
  for (const one of [grace, agent, eve]) await h.as(one).post(`${open}/join`).expect(200)
  const hidden = `hidden-${eve.actor_id}`
  await h.as(grace).post('/api/spaces', { space_id: hidden, visibility: 'private' }).expect(200)
  await h.as(grace).post(`/api/spaces/${hidden}/participants`, { actor_id: agent.actor_id }).expect(200)
  expect(await card(agent, grace).expect(200)).toMatchObject({ claims: [] })
  const claim = async (path: string, key: string) =>
    (
      await h
        .as(agent)
        .post(`${path}/claims`, { key, note: `About ${key}` })
        .expect(200)
    ).claim_id
  const boats = await claim(open, 'boats')
  const trains = await claim(`/api/spaces/${hidden}`, 'trains')
  const given = await claim(open, 'beds')
  await h.as(agent).delete(`${open}/claims/${given}`).expect(200)

  const seen = await card(agent, grace).expect(200)
  expect(seen.claims).toMatchObject([
    { claim_id: trains, space_id: hidden },
    { claim_id: boats, space_id: open.split('/').at(-1), key: 'boats', note: 'About boats' },
  ])
  expect(Date.now() - Date.parse(seen.last_seen_at)).toBeLessThan(120_000)
  expect((await card(agent, eve).expect(200)).claims).toMatchObject([{ claim_id: boats }])
  // A claim that is handed over belongs to neither actor until it is accepted.
  await h.as(agent).post(`${open}/claims/${boats}/hand-over`, { to: grace.actor_id }).expect(200)
  expect((await card(grace, eve).expect(200)).claims).toEqual([])
  expect((await card(agent, eve).expect(200)).claims).toEqual([])
})

it('the status of a space shows which participants are stopped', async () => {
  const agent = await h.registerAgent(ada, 'Sleeper')
  const space = await h.openSpace(ada)
  expect(await h.as(agent).post(`${space}/join`).expect(200)).toMatchObject({ is_stopped: false })
  await h.as(ada).post(`/api/actors/${agent.actor_id}/stop`).expect(200)
  const { participants } = await h.as(ada).get(`${space}/status`).expect(200)
  const of = (actor: Actor) => participants.find(({ actor_id }: Actor) => actor_id === actor.actor_id)
  expect(of(agent)).toMatchObject({ is_stopped: true })
})
