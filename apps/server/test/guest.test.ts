import { randomUUID } from 'node:crypto'
import { type Actor, spaceIdOf } from '@collab-spaces/testing'
import { beforeAll, expect, it } from 'vitest'
import { EVERYTHING } from './support/actor.js'
import { CLIENTS, useMcpClients } from './support/mcp.js'
import { useServer } from './support/server.js'
import { foundTenant, makeAdmin, moveInto } from './support/tenant.js'

/** A guest sees only the spaces that it was added to, and their participants. */

const h = useServer()
const connected = useMcpClients()
const [, , connect] = CLIENTS[0] as (typeof CLIENTS)[number]

let tenant: string
/** An admin, who owns the spaces. */
let ada: Actor
/** A member in the guest's space. */
let bob: Actor
/** A member who shares no space with the guest. */
let eve: Actor
let guest: Actor
/** The guest's agent, registered before it became a guest. */
let scout: Actor
/** An open space with the guest. */
let shared: string
/** An open space without the guest. */
let elsewhere: string

beforeAll(async () => {
  tenant = await foundTenant(h.connection)
  ;[ada, bob, eve, guest] = [
    await h.registerHuman('Ada'),
    await h.registerHuman('Bob'),
    await h.registerHuman('Eve'),
    await h.registerHuman('Gus'),
  ]
  scout = await h.registerAgent(guest, 'Scout', EVERYTHING)
  await moveInto(h.connection, tenant, ada, bob, eve, guest, scout)
  await makeAdmin(h.connection, ada)
  shared = await h.openSpace(ada)
  elsewhere = await h.openSpace(ada)
  for (const actor of [ada, bob]) await h.as(actor).post(`${shared}/join`).expect(200)
  await h.as(eve).post(`${elsewhere}/join`).expect(200)
  await invite({ access: 'named' })
  await h.as(ada).post(`${shared}/participants`, { actor_id: guest.actor_id }).expect(200)
  for (const space of [shared, elsewhere]) {
    await h
      .as(ada)
      .post(`${space}/speech`, { text: 'The lighthouse is lit', metadata: calls(guest, scout) })
      .expect(200)
    const decision = { proposed_by: 'Ada', text: 'Light the lighthouse', assignees: [guest.actor_id] }
    await h.as(ada).post(`${space}/decisions`, decision).expect(200)
  }
})

const invite = (access: object) =>
  h.as(ada).put(`/api/tenants/${tenant}/members/${guest.actor_id}/access`, access).expect(200)
const calls = (...actors: Actor[]) => ({ mentions: actors.map(({ actor_id }) => actor_id) })

const NOT_FOUND = 'Space not found'
const spacesIn = (found: readonly { space_id: string }[]) => [...new Set(found.map(({ space_id }) => space_id))]

it('a guest can use only the spaces that it was added to', async () => {
  for (const list of ['/api/spaces', '/api/actors/me/spaces']) {
    expect(spacesIn(await h.as(guest).get(list).expect(200))).toEqual([spaceIdOf(shared)])
  }
  expect(await h.as(guest).get(`${shared}/events`).expect(200)).toHaveLength(1)
  await h.as(guest).post(`${shared}/speech`, { text: 'Hello' }).expect(200)
  for (const path of ['status', 'events', 'participants', 'decisions', 'events/stream', 'links', 'context']) {
    await h.as(guest).get(`${elsewhere}/${path}`).expect(404, NOT_FOUND)
  }
  await h.as(guest).post(`${elsewhere}/join`).expect(404, NOT_FOUND)
  await h.as(guest).post(`${elsewhere}/speech`, { text: 'Hello' }).expect(404, NOT_FOUND)
})

it('the searches and the inbox of a guest have only its spaces', async () => {
  for (const what of ['search', 'search/decisions']) {
    const matches = await h.as(guest).get(`/api/${what}?q=lighthouse`).expect(200)
    expect(spacesIn(matches), what).toEqual([spaceIdOf(shared)])
  }
  const { items, decisions } = await h.as(guest).get('/api/actors/me/inbox').expect(200)
  expect(items.map(({ event }: { event: { text: string } }) => event.text)).toEqual(['The lighthouse is lit'])
  expect(spacesIn(items)).toEqual([spaceIdOf(shared)])
  expect(spacesIn(decisions)).toEqual([spaceIdOf(shared)])
})

it('a guest sees only the members of its spaces, and its agents', async () => {
  const members = await h.as(guest).get(`/api/tenants/${tenant}/members`).expect(200)
  const known = [ada, bob, guest, scout].map(({ actor_id }) => actor_id).sort()
  expect(members.map(({ actor_id }: Actor) => actor_id).sort()).toEqual(known)
  for (const actor of [ada, bob, guest, scout]) await h.as(guest).get(`/api/actors/${actor.actor_id}`).expect(200)
  await h.as(guest).get(`/api/actors/${eve.actor_id}`).expect(404, 'Actor not found')
  const { common_spaces } = await h.as(guest).get(`/api/actors/${ada.actor_id}`).expect(200)
  expect(common_spaces).toEqual([spaceIdOf(shared)])
})

it('members see a guest, with its access', async () => {
  await h.as(bob).get(`/api/actors/${guest.actor_id}`).expect(200)
  const members = await h.as(eve).get(`/api/tenants/${tenant}/members`).expect(200)
  expect(members.find(({ actor_id }: Actor) => actor_id === guest.actor_id)).toMatchObject({ access: 'named' })
})

it('a guest cannot create spaces or add participants', async () => {
  const space_id = `mine-${randomUUID()}`
  for (const visibility of ['open', 'private']) {
    await h.as(guest).post('/api/spaces', { space_id, visibility }).expect(403, 'A guest cannot create spaces')
  }
  const refused = h.as(guest).post('/api/conversations', { actor_ids: [bob.actor_id] })
  await refused.expect(403, 'A guest cannot create spaces')
  const added = { actor_id: eve.actor_id }
  await h.as(guest).post(`${shared}/participants`, added).expect(403, 'A guest cannot add participants to a space')
  const owned = `/api/spaces/${space_id}`
  await h.as(ada).post('/api/spaces', { space_id, visibility: 'private' }).expect(200)
  await h.as(ada).post(`${owned}/participants`, { actor_id: guest.actor_id, role: 'owner' }).expect(200)
  const owners = [ada, guest].map(({ actor_id }) => actor_id)
  const withEve = { owners: [...owners, eve.actor_id] }
  await h.as(guest).patch(owned, withEve).expect(403, 'A guest cannot add participants to a space')
  await h.as(guest).patch(owned, { owners }).expect(200)
  await h.as(guest).post(`${owned}/leave`).expect(200)
})

it('a guest sponsors agents only if an admin allows it, and they are guests too', async () => {
  const make = () =>
    h.as(guest).post('/api/actors', { actor_type: 'agent', display_name: 'Aide', agent_profile: 'Helps' })
  await make().expect(403, /^A guest can sponsor agents only if/)
  await invite({ access: 'named', may_sponsor_agents: true })
  const aide = await make().expect(200)
  for (const agent of [aide, scout]) {
    expect(spacesIn(await h.as(agent).get('/api/spaces').expect(200))).toEqual([])
    await h.as(agent).get(`${elsewhere}/events`).expect(404, NOT_FOUND)
  }
  await invite({ access: 'named' })
  await make().expect(403, /^A guest can sponsor agents only if/)
})

it('the MCP server has tools for the spaces of a guest only', async () => {
  const client = await connected(connect, h.url, guest.api_key)
  expect(spacesIn((await client.call('list_spaces')).content.spaces)).toEqual([spaceIdOf(shared)])
  expect(spacesIn((await client.call('search', { q: 'lighthouse' })).content.matches)).toEqual([spaceIdOf(shared)])
  const space_id = spaceIdOf(elsewhere)
  const tries: [string, object][] = [
    ['join_space', {}],
    ['read_events', {}],
    ['get_context', { budget: 500 }],
    ['say', { text: 'Hello' }],
    ['list_decisions', {}],
    ['propose_decision', { text: 'Go' }],
    ['claim_work', { key: 'lighthouse' }],
  ]
  for (const [name, input] of tries) {
    const answer = await client.call(name, { space_id, ...input })
    expect([name, answer.isError, answer.text]).toEqual([name, true, expect.stringContaining(NOT_FOUND)])
  }
  expect((await client.call('read_events', { space_id: spaceIdOf(shared) })).isError).toBe(false)
})

it('a member who becomes a guest loses other spaces at once, even during a long poll', async () => {
  const late = await h.registerHuman('Late')
  await moveInto(h.connection, tenant, late)
  const { event_id } = (await h.as(late).get(`${elsewhere}/events`).expect(200))[0]
  const wait = h.as(late).get(`${elsewhere}/events?since=${event_id}&wait=30`)
  const named = { access: 'named' }
  await h.as(ada).put(`/api/tenants/${tenant}/members/${late.actor_id}/access`, named).expect(200)
  await wait.expect(404, NOT_FOUND)
})
