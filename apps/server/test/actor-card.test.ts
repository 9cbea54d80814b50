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

it('shows what an agent is for, who answers for it, and where one meets it', async () => {
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

it('is not for strangers in the shared scope, until they meet', async () => {
  const grace = await h.registerHuman('Grace')
  await card(scout, grace).expect(404, 'Actor not found')
  await card(scout, ada).expect(200)
  await card(ada, scout).expect(200)
  const space = await h.openSpace(grace)
  for (const one of [grace, scout]) await h.as(one).post(`${space}/join`).expect(200)
  expect((await card(scout, grace).expect(200)).common_spaces).toHaveLength(1)
})

it('tells in the list of participants who is stopped', async () => {
  const agent = await h.registerAgent(ada, 'Sleeper')
  const space = await h.openSpace(ada)
  expect(await h.as(agent).post(`${space}/join`).expect(200)).toMatchObject({ is_stopped: false })
  await h.as(ada).post(`/api/actors/${agent.actor_id}/stop`).expect(200)
  const { participants } = await h.as(ada).get(`${space}/status`).expect(200)
  const of = (actor: Actor) => participants.find(({ actor_id }: Actor) => actor_id === actor.actor_id)
  expect(of(agent)).toMatchObject({ is_stopped: true })
})
