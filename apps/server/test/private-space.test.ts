import { randomUUID } from 'node:crypto'
import { type Actor, eventually, query, spaceIdOf, UNKNOWN_ACTOR } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { EVERYTHING } from './support/actor.js'
import { CLIENTS, type ToolResult, useMcpClients } from './support/mcp.js'
import { operatorOf } from './support/operator.js'
import { useServer } from './support/server.js'
import { foundTenant, makeAdmin, moveInto } from './support/tenant.js'

const h = useServer()
const connected = useMcpClients()
const [, , connect] = CLIENTS[0] as (typeof CLIENTS)[number]

/** All of one tenant: Ada's spaces are private, Bob is outside, Grace is an admin. */
let tenant: string
let ada: Actor
let scout: Actor
let bob: Actor
let aide: Actor
let grace: Actor

beforeAll(async () => {
  tenant = await foundTenant(h.connection)
  ;[ada, bob, grace] = [await h.registerHuman('Ada'), await h.registerHuman('Bob'), await h.registerHuman('Grace')]
  ;[scout, aide] = [await h.registerAgent(ada, 'Scout', EVERYTHING), await h.registerAgent(bob, 'Aide', EVERYTHING)]
  await moveInto(h.connection, tenant, ada, scout, bob, aide, grace)
  await makeAdmin(h.connection, grace)
})

async function privateSpace(by: Actor = ada): Promise<string> {
  const space_id = `hiring-${randomUUID()}`
  await h.as(by).post('/api/spaces', { space_id, visibility: 'private' }).expect(200)
  return `/api/spaces/${space_id}`
}

const add = (space: string, actor: Actor, role = 'member', by: Actor = ada) =>
  h.as(by).post(`${space}/participants`, { actor_id: actor.actor_id, role })
const remove = (space: string, actor: Actor, by: Actor = ada) =>
  h.as(by).delete(`${space}/participants/${actor.actor_id}`)
const isListed = async (by: Actor, space: string, list = '/api/spaces') =>
  (await h.as(by).get(list).expect(200)).some(({ space_id }: { space_id: string }) => space.endsWith(`/${space_id}`))

const participantsOf = async (space: string, by = ada) =>
  (await h.as(by).get(`${space}/participants`).expect(200)).map(
    ({ actor_id, role }: { actor_id: string; role: string }) => [actor_id, role],
  )

describe('a private space', () => {
  it('exists for its creator only, not even for admins', async () => {
    const space = await privateSpace()
    expect(await h.as(ada).get(`${space}/status`).expect(200)).toMatchObject({
      visibility: 'private',
      owners: [ada.actor_id],
      participants: [{ actor_id: ada.actor_id, role: 'owner' }],
    })
    expect(await isListed(ada, space)).toBe(true)
    for (const outsider of [bob, aide, scout, grace]) {
      await h.as(outsider).get(`${space}/status`).expect(404, 'Space not found')
      await h.as(outsider).post(`${space}/join`).expect(404, 'Space not found')
      await h.as(outsider).post(`${space}/speech`, { text: 'Hello' }).expect(404, 'Space not found')
      await h
        .as(outsider)
        .post(`${space}/events/batch`, {
          events: [{ text: 'Hello', speaker_id: outsider.actor_id, speaker_name: outsider.display_name }],
        })
        .expect(404)
      expect(await isListed(outsider, space)).toBe(false)
    }
    expect(await h.as(ada).get(`${space}/events`).expect(200)).toEqual([])
  })

  it('has the sponsor as its owner if an agent creates it', async () => {
    const space = await privateSpace(scout)
    expect(new Set(await participantsOf(space))).toEqual(
      new Set([
        [ada.actor_id, 'owner'],
        [scout.actor_id, 'member'],
      ]),
    )
    await h.as(ada).post(`${space}/speech`, { text: 'Hello' }).expect(200)
    await h.as(scout).post(`${space}/response`, { text: 'Hello' }).expect(200)
  })

  it('is read-only for the sponsor of a participating agent', async () => {
    const space = await privateSpace()
    await add(space, aide).expect(200)
    await h.as(aide).post(`${space}/response`, { text: 'Here' }).expect(200)
    expect(await h.as(bob).get(`${space}/events`).expect(200)).toHaveLength(1)
    expect(await isListed(bob, space)).toBe(true)
    const REFUSED = /^Only participants of this space may do this/
    await h.as(bob).post(`${space}/speech`, { text: 'Hello' }).expect(403, REFUSED)
    await h.as(bob).post(`${space}/join`).expect(403, REFUSED)
    await h.as(bob).post(`${space}/decisions`, { proposed_by: 'Bob', text: 'Go' }).expect(403, REFUSED)
    await h.as(bob).post(`${space}/links`, { target_uri: 'https://a.example' }).expect(403, REFUSED)
    await h.as(bob).patch(space, { description: 'Mine' }).expect(403, 'Only owners of this space may do this')
    // A sponsor that removes its agent loses access.
    await remove(space, aide, bob).expect(200)
    await h.as(bob).get(`${space}/events`).expect(404, 'Space not found')
    await h.as(aide).get(`${space}/events`).expect(404, 'Space not found')
  })

  it('admits actors that an owner adds as members or owners, and records them in its acts', async () => {
    const space = await privateSpace()
    expect(await add(space, bob).expect(200)).toMatchObject({ actor_id: bob.actor_id, role: 'member', name: 'Bob' })
    await h.as(bob).post(`${space}/speech`, { text: 'Hello' }).expect(200)
    await add(space, aide, 'member', bob).expect(403, 'Only owners of this space may do this')
    await remove(space, ada, bob).expect(403, 'Only owners of this space may do this')
    await add(space, { ...bob, actor_id: UNKNOWN_ACTOR }).expect(404, 'Actor not found')
    await add(space, scout, 'owner').expect(400, 'role: only a human can be an owner')
    expect(await add(space, bob, 'owner').expect(200)).toMatchObject({ role: 'owner' })
    await add(space, ada, 'member', bob).expect(200)
    expect(await participantsOf(space)).toEqual([
      [ada.actor_id, 'member'],
      [bob.actor_id, 'owner'],
    ])
    await add(space, bob, 'member', bob).expect(409, 'A space needs an owner: name another one first')
    await remove(space, bob, bob).expect(409, 'A space needs an owner: name another one first')
    const acts = await h.as(ada).get(`${space}/acts?about=space`).expect(200)
    expect(acts.map(({ kind, actor_id }: { kind: string; actor_id: string }) => [kind, actor_id])).toEqual([
      ['participant_added', ada.actor_id],
      ['owners_changed', ada.actor_id],
      ['owners_changed', bob.actor_id],
    ])
  })

  it('without an owner lets its participants leave, and an admin restore it', async () => {
    const eve = await h.registerHuman('Eve')
    await moveInto(h.connection, tenant, eve)
    const space = await privateSpace(eve)
    await add(space, bob, 'member', eve).expect(200)
    await add(space, ada, 'member', eve).expect(200)
    await h.as(eve).post(`${space}/archive`).expect(200)
    await h.as(eve).delete(`/api/actors/${eve.actor_id}`).expect(200)
    await remove(space, bob, bob).expect(200)
    await add(space, bob, 'member', grace).expect(404)
    await add(space, grace, 'owner', grace).expect(200)
    expect(await h.as(grace).post(`${space}/unarchive`).expect(200)).toMatchObject({ status: 'active' })
  })

  it('loses a human that an owner removes, with the human’s agents', async () => {
    const space = await privateSpace()
    await add(space, bob).expect(200)
    await add(space, aide).expect(200)
    await remove(space, bob).expect(200)
    for (const removed of [bob, aide]) {
      await h.as(removed).get(`${space}/events`).expect(404, 'Space not found')
      await h.as(removed).post(`${space}/response`, { text: 'Hello' }).expect(404, 'Space not found')
    }
    await remove(space, bob).expect(404, 'Actor not found')
    expect(await participantsOf(space)).toEqual([[ada.actor_id, 'owner']])
  })

  it('keeps its participants when it was open before', async () => {
    const space = await h.openSpace(ada)
    await h.as(bob).post(`${space}/join`).expect(200)
    expect(await h.as(ada).patch(space, { visibility: 'private' }).expect(200)).toMatchObject({ visibility: 'private' })
    await h.as(bob).post(`${space}/speech`, { text: 'Still here' }).expect(200)
    await h.as(grace).get(`${space}/status`).expect(404, 'Space not found')
    expect(new Set(await participantsOf(space))).toEqual(
      new Set([
        [bob.actor_id, 'member'],
        [ada.actor_id, 'owner'],
      ]),
    )
    await h.as(bob).patch(space, { visibility: 'open' }).expect(403, 'Only owners of this space may do this')
    await h.as(ada).patch(space, { visibility: 'open' }).expect(200)
    await h.as(grace).post(`${space}/join`).expect(200)
  })

  it('lost former members when it was closed, who are outside after their return', async () => {
    const eve = await h.registerHuman('Eve')
    await moveInto(h.connection, tenant, eve)
    const space = await h.openSpace(ada)
    for (const actor of [ada, eve]) await h.as(actor).post(`${space}/join`).expect(200)
    await h.as(eve).post(`/api/tenants/${tenant}/leave`).expect(200)
    await h.as(ada).patch(space, { visibility: 'private' }).expect(200)
    await query(h.connection, 'UPDATE actors SET tenant_id = $1 WHERE actor_id = $2', [tenant, eve.actor_id])
    await h.as(eve).get(`${space}/events`).expect(404, 'Space not found')
    expect(await participantsOf(space)).toEqual([[ada.actor_id, 'owner']])
  })

  it('is listed to admins without content, and its acts show an admin that becomes an owner', async () => {
    const space = await privateSpace()
    await h.as(ada).post(`${space}/speech`, { text: 'Secret' }).expect(200)
    const list = `/api/tenants/${tenant}/private-spaces`
    await h.as(ada).get(list).expect(403, 'Only an admin of the tenant may do this')
    const known = await h.as(grace).get(list).expect(200)
    const entry = known.find(({ space_id }: { space_id: string }) => space.endsWith(space_id))
    expect(entry).toEqual({
      space_id: space.split('/').at(-1),
      status: 'active',
      owners: [ada.actor_id],
      started_at: expect.any(String),
      participant_count: 1,
      event_count: 1,
    })
    await add(space, bob, 'owner', grace).expect(404, 'Space not found')
    await add(space, grace, 'member', grace).expect(404, 'Space not found')
    await add(space, bob, 'owner', bob).expect(404, 'Space not found')
    await add(space, grace, 'owner', grace).expect(200)
    expect(await h.as(grace).get(`${space}/events`).expect(200)).toHaveLength(1)
    expect(await h.as(ada).get(`${space}/acts?about=space`).expect(200)).toMatchObject([
      { kind: 'participant_added', actor_id: grace.actor_id, participant_id: grace.actor_id },
      { kind: 'owners_changed', actor_id: grace.actor_id },
    ])
    const log = await h.as(grace).get(`/api/audit?subject_id=${entry.space_id}`).expect(200)
    expect(log.map(({ action }: { action: string }) => action)).toEqual([
      'space.owners_changed',
      'space.participant_added',
    ])
  })

  it('loses a member that leaves or removes itself', async () => {
    const space = await privateSpace()
    await add(space, bob).expect(200)
    await h.as(bob).post(`${space}/leave`).expect(200)
    await h.as(bob).get(`${space}/status`).expect(404, 'Space not found')
    await add(space, bob).expect(200)
    await remove(space, bob, bob).expect(200)
    await h.as(bob).get(`${space}/status`).expect(404, 'Space not found')
  })
})

describe('a conversation', () => {
  const start = (by: Actor, ...others: Actor[]) =>
    h.as(by).post('/api/conversations', { actor_ids: others.map(({ actor_id }) => actor_id) })

  it('is one private space, no matter which member starts it and how often', async () => {
    const first = await start(ada, bob).expect(200)
    expect(first).toMatchObject({ visibility: 'private', owners: [ada.actor_id, bob.actor_id].sort(), event_count: 0 })
    const all = await Promise.all(
      [start(bob, ada), start(ada, bob, ada), start(bob, ada)].map((answer) => answer.expect(200)),
    )
    for (const same of all) expect(same.space_id).toBe(first.space_id)
    expect((await start(ada, bob, scout).expect(200)).space_id).not.toBe(first.space_id)
    const space = `/api/spaces/${first.space_id}`
    await h.as(grace).get(`${space}/status`).expect(404, 'Space not found')
    await h.as(bob).post(`${space}/speech`, { text: 'Between us' }).expect(200)
  })

  it('can be restored at any time, and is started anew after its deletion', async () => {
    const { space_id } = await start(aide, grace).expect(200)
    const space = `/api/spaces/${space_id}`
    await h.as(grace).post(`${space}/archive`).expect(200)
    await query(h.connection, `UPDATE spaces SET ended_at = now() - interval '1 year' WHERE space_id = $1`, [space_id])
    await h.as(grace).post(`${space}/unarchive`).expect(200)
    await operatorOf(h)('space', 'delete', tenant, space_id, '--by', 'Ada', '--yes')
    const again = await start(aide, grace).expect(200)
    expect(again.space_id).not.toBe(space_id)
    expect((await start(grace, aide).expect(200)).space_id).toBe(again.space_id)
  })

  it('has fixed members, who can only leave and start it again', async () => {
    const { space_id } = await start(ada, grace).expect(200)
    const space = `/api/spaces/${space_id}`
    await add(space, bob).expect(409, /^A conversation stays between those/)
    await remove(space, grace).expect(409, /^A conversation stays between those/)
    await h
      .as(ada)
      .patch(space, { visibility: 'open' })
      .expect(409, /^A conversation stays between those/)
    await h
      .as(ada)
      .patch(space, { owners: [bob.actor_id] })
      .expect(409, /^A conversation stays between those/)
    await h.as(grace).post(`${space}/leave`).expect(200)
    await h.as(grace).get(`${space}/status`).expect(404, 'Space not found')
    // An admin, who could become an owner of any other private space.
    await add(space, grace, 'owner', grace).expect(409, /^A conversation stays between those/)
    expect((await start(ada, grace).expect(200)).participants).toMatchObject([{ actor_id: ada.actor_id }])
    await h.as(ada).patch(space, { title: 'Between us' }).expect(200)
    await h.as(grace).get(`${space}/status`).expect(404, 'Space not found')
    const { owners, participants } = await start(grace, ada).expect(200)
    expect(owners).toEqual([ada.actor_id, grace.actor_id].sort())
    expect(participants).toHaveLength(2)
    const acts = await h.as(grace).get(`${space}/acts?about=space`).expect(200)
    expect(acts.map(({ kind, actor_id }: Record<string, string>) => [kind, actor_id])).toEqual([
      ['participant_removed', grace.actor_id],
      ['participant_added', grace.actor_id],
    ])
  })

  it('loses the agents of a member who leaves, and regains them with the member', async () => {
    const { space_id } = await start(ada, bob, aide).expect(200)
    const space = `/api/spaces/${space_id}`
    await h.as(bob).post(`${space}/leave`).expect(200)
    await start(ada, bob, aide).expect(200)
    expect(await participantsOf(space)).toEqual([[ada.actor_id, 'owner']])
    await start(bob, ada, aide).expect(200)
    expect((await participantsOf(space)).map(([id]: [string]) => id).sort()).toEqual(
      [ada, bob, aide].map(({ actor_id }) => actor_id).sort(),
    )
  })

  it('can be left by its only human', async () => {
    const { space_id } = await start(ada, aide).expect(200)
    await h.as(ada).post(`/api/spaces/${space_id}/leave`).expect(200)
    await h
      .as(aide)
      .post('/api/conversations', { actor_ids: [ada.actor_id] })
      .expect(200)
    await h.as(ada).get(`/api/spaces/${space_id}/status`).expect(404, 'Space not found')
  })

  it('readmits a member that left the tenant and returned', async () => {
    const eve = await h.registerHuman('Eve')
    await moveInto(h.connection, tenant, eve)
    const { space_id } = await start(ada, eve).expect(200)
    await h.as(eve).post(`/api/tenants/${tenant}/leave`).expect(200)
    await query(h.connection, 'UPDATE actors SET tenant_id = $1 WHERE actor_id = $2', [tenant, eve.actor_id])
    await h.as(eve).get(`/api/spaces/${space_id}/status`).expect(404, 'Space not found')
    await start(ada, eve).expect(200)
    await h.as(eve).get(`/api/spaces/${space_id}/status`).expect(200)
  })

  it('is listed with the names of its other members', async () => {
    const { space_id } = await start(ada, bob, grace).expect(200)
    const listed = async (by: Actor, path = '/api/spaces') =>
      (await h.as(by).get(path).expect(200)).find((space: { space_id: string }) => space.space_id === space_id)
    // Members that joined at the same time are sorted by id.
    const named = (...all: Actor[]) =>
      all
        .map(({ actor_id, display_name }) => ({ actor_id, name: display_name, is_present: false }))
        .sort((one, other) => (one.actor_id < other.actor_id ? -1 : 1))
    expect((await listed(ada)).partners).toEqual(named(bob, grace))
    expect((await listed(bob, '/api/actors/me/spaces')).partners).toEqual(named(ada, grace))
    await h.as(grace).post(`/api/spaces/${space_id}/leave`).expect(200)
    expect((await listed(ada)).partners).toEqual(named(bob))
    expect(await listed(grace)).toBeUndefined()
  })

  it('needs another actor of the tenant', async () => {
    await start(ada).expect(400, /^actor_ids: /)
    await start(ada, ada).expect(400, 'actor_ids: must name another actor')
    await start(ada, { ...bob, actor_id: UNKNOWN_ACTOR }).expect(404, 'Actor not found')
    await start(ada, await h.registerHuman()).expect(404, 'Actor not found')
  })

  it('has an id that no other space can have, even before it exists', async () => {
    const { space_id } = await start(ada, aide).expect(200)
    for (const id of [space_id, `conversation-${'0'.repeat(32)}`]) {
      await h.as(grace).post('/api/spaces', { space_id: id }).expect(409, 'space_id is already taken')
    }
  })
})

/** Returns a result without the delimiters, whose names are random. */
const bareOf = ({ raw: _, ...bare }: ToolResult) => bare

it.each(['a private space', 'a conversation'] as const)(
  'over MCP, %s exists for its participants only',
  async (which) => {
    const inside = await connected(connect, h.url, scout.api_key)
    const space =
      which === 'a private space'
        ? spaceIdOf(await privateSpace(scout))
        : (await inside.call('start_conversation', { actor_ids: [ada.actor_id] })).content.space.space_id
    const message = { space_id: space, text: `The lighthouse, in ${which}` }
    const { event } = (await inside.call('say', message)).content
    const { decision } = (await inside.call('propose_decision', { ...message, assignees: [ada.actor_id] })).content
    expect((await inside.call('list_spaces')).text).toContain(space)
    const { matches } = (await inside.call('search', { q: 'lighthouse', space_id: space })).content
    expect(matches).toContainEqual(expect.objectContaining({ event_id: event.event_id }))
    const through = [{ space_id: space, event_id: event.event_id }]
    expect((await inside.call('mark_done', { through })).text).toBe('Done.')

    for (const outsider of [bob, aide, grace]) {
      const client = await connected(connect, h.url, outsider.api_key)
      for (const name of ['list_spaces', 'whoami']) expect((await client.call(name)).text).not.toContain(space)
      expect((await client.call('search', { q: 'lighthouse' })).text).not.toContain(space)
      const tries: [string, object][] = [
        ['join_space', {}],
        ['read_events', {}],
        ['get_context', { budget: 500 }],
        ['search', { q: 'lighthouse' }],
        ['say', { text: 'Hello' }],
        ['wait_for_attention', { wait: 0 }],
        ['wait_for_answer', { event_id: event.event_id, wait: 0 }],
        ['claim_work', { event_id: event.event_id }],
        ['list_decisions', {}],
        ['propose_decision', { text: 'Go' }],
        ['review_decision', { decision_id: decision.decision_id, verdict: 'approve' }],
        ['settle_decision', { decision_id: decision.decision_id, status: 'resolved', resolution: 'Yes' }],
      ]
      for (const [name, input] of tries) {
        const [there, nowhere] = [
          await client.call(name, { space_id: space, ...input }),
          await client.call(name, { space_id: 'no-such-space', ...input }),
        ]
        expect([name, bareOf(there)]).toEqual([name, bareOf(nowhere)])
        expect([name, there.content]).toEqual([name, expect.objectContaining({ status: 404 })])
      }
      const done = (space_id: string) => client.call('mark_done', { through: [{ space_id, event_id: event.event_id }] })
      const refused = await done(space)
      expect(refused.content).toMatchObject({ status: 404, detail: 'Space not found' })
      expect(bareOf(refused)).toEqual(bareOf(await done('no-such-space')))
      const addresses = ['context', `events/${event.event_id}`, `decisions/${decision.decision_id}`]
      for (const address of addresses) {
        const read = (id: string) =>
          client
            .read(`spaces:///${id}/${address}`)
            .catch(({ message }) => message.replaceAll(/data-[0-9a-f]{16}/g, 'data'))
        const refusal = await read(space)
        expect([address, refusal]).toEqual([address, await read('no-such-space')])
        expect(refusal).toMatch(/ not found/)
        expect(await inside.read(`spaces:///${space}/${address}`)).toHaveProperty('text')
      }
    }
  },
)

describe('a removed participant', () => {
  it('writes nothing after the removal is answered, even with concurrent requests', async () => {
    const space = await privateSpace()
    await add(space, bob).expect(200)
    const count = async () => (await h.as(ada).get(`${space}/status`).expect(200)).event_count as number
    let isOver = false
    const writing = Array.from({ length: 4 }, async () => {
      while (!isOver) await h.as(bob).post(`${space}/speech`, { text: 'Mine' })
    })
    await eventually(async () => (await count()) > 10)
    await remove(space, bob).expect(200)
    const head = await count()
    await h.as(ada).post(`${space}/speech`, { text: 'Last' }).expect(200)
    await h.as(bob).post(`${space}/speech`, { text: 'Mine' }).expect(404, 'Space not found')
    isOver = true
    await Promise.all(writing)
    expect(await count()).toBe(head + 1)
  })
})
