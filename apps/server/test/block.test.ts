import { randomUUID } from 'node:crypto'
import { type Actor, query } from '@collab-spaces/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { TIMESTAMP } from './support/form.js'
import { useServer } from './support/server.js'
import { foundTenant, moveInto } from './support/tenant.js'

const h = useServer()

/** Ada blocks Bob in most tests. */
let ada: Actor
let scout: Actor
let bob: Actor
let aide: Actor
let carol: Actor

beforeEach(async () => {
  ;[ada, bob, carol] = [await h.registerHuman('Ada'), await h.registerHuman('Bob'), await h.registerHuman('Carol')]
  ;[scout, aide] = [await h.registerAgent(ada), await h.registerAgent(bob, 'Aide')]
  await moveInto(h.connection, await foundTenant(h.connection), ada, scout, bob, aide, carol)
})

const LIST = '/api/actors/me/blocks'
const block = (by: Actor, { actor_id }: Actor) => h.as(by).put(`${LIST}/${actor_id}`)
const start = (by: Actor, ...others: Actor[]) =>
  h.as(by).post('/api/conversations', { actor_ids: others.map(({ actor_id }) => actor_id) })
const REFUSED = 'You cannot start a conversation with these actors'

it('the list of blocked actors is private to its human', async () => {
  await block(ada, bob).expect(200)
  await block(ada, bob).expect(200)
  const listed = [{ actor_id: bob.actor_id, name: 'Bob', created_at: expect.stringMatching(TIMESTAMP) }]
  expect(await h.as(ada).get(LIST).expect(200)).toEqual(listed)
  expect(await h.as(bob).get(LIST).expect(200)).toEqual([])
  await h.as(ada).delete(`${LIST}/${bob.actor_id}`).expect(200)
  await h.as(ada).delete(`${LIST}/${bob.actor_id}`).expect(404, 'Actor not found')
  expect(await h.as(ada).get(LIST).expect(200)).toEqual([])
  await block(ada, ada).expect(400, 'actor_id: must be another actor')
  await block(ada, await h.registerHuman()).expect(404, 'Actor not found')
  await block(scout, bob).expect(403, 'Only a human actor may do this')
})

it('the list of blocked actors has at most 1,000 entries', async () => {
  await query(
    h.connection,
    `WITH many AS (
       INSERT INTO actors (actor_id, tenant_id, actor_type, display_name, created_at)
       SELECT $1 || n, tenant_id, 'human', 'Many', now() FROM actors, generate_series(1, 1000) n WHERE actor_id = $1
       RETURNING actor_id, tenant_id
     ), members AS (INSERT INTO memberships (actor_id, tenant_id) SELECT actor_id, tenant_id FROM many RETURNING *)
     SELECT`,
    [ada.actor_id],
  )
  await query(
    h.connection,
    `INSERT INTO blocks SELECT tenant_id, $1, actor_id, now() FROM actors WHERE starts_with(actor_id, $1) AND actor_id <> $1`,
    [ada.actor_id],
  )
  await block(ada, bob).expect(409, 'You can block at most 1000 actors')
})

describe('a blocked actor', () => {
  it.each([
    ['a human and its agents', () => bob, [true, true]],
    ['an agent, but not its human', () => aide, [false, true]],
  ] as const)('cannot start a conversation with the blocker: %s', async (_title, blocked, [human, agent]) => {
    await block(ada, blocked()).expect(200)
    for (const [starter, isRefused] of [
      [bob, human],
      [aide, agent],
    ] as const) {
      for (const others of [[ada], [scout], [carol, ada]]) {
        if (isRefused) await start(starter, ...others).expect(403, REFUSED)
        else await start(starter, ...others).expect(200)
      }
      await start(starter, carol).expect(200)
    }
    // The blocker can still start a conversation.
    await start(ada, bob).expect(200)
  })

  it('stays alone in conversations of only the two, and cannot reopen them', async () => {
    const pair = `/api/spaces/${(await start(ada, bob).expect(200)).space_id}`
    const withAgents = `/api/spaces/${(await start(bob, aide, ada, scout).expect(200)).space_id}`
    const group = `/api/spaces/${(await start(bob, ada, carol).expect(200)).space_id}`
    await block(ada, bob).expect(200)
    for (const space of [pair, withAgents]) {
      await h.as(ada).get(`${space}/status`).expect(404, 'Space not found')
      await h.as(scout).get(`${space}/status`).expect(404, 'Space not found')
      await h.as(bob).post(`${space}/speech`, { text: 'Ada?' }).expect(200)
    }
    expect((await h.as(ada).get('/api/actors/me/inbox').expect(200)).items).toEqual([])
    await h.as(ada).get(`${group}/status`).expect(200)
    await start(bob, ada).expect(403, REFUSED)
    await h.as(ada).delete(`${LIST}/${bob.actor_id}`).expect(200)
    await start(bob, ada).expect(200)
    await h.as(ada).get(`${pair}/status`).expect(404, 'Space not found')
  })

  it('adds neither the blocker nor its agents to a space', async () => {
    const space_id = `plans-${randomUUID()}`
    const space = `/api/spaces/${space_id}`
    await h.as(bob).post('/api/spaces', { space_id, visibility: 'private' }).expect(200)
    await block(ada, bob).expect(200)
    for (const { actor_id } of [ada, scout]) {
      const added = h.as(bob).post(`${space}/participants`, { actor_id })
      await added.expect(403, 'You cannot add this actor to a space')
    }
    const owners = [ada.actor_id, bob.actor_id]
    await h.as(bob).patch(space, { owners }).expect(403, 'You cannot add this actor to a space')
    await h.as(bob).post(`${space}/participants`, { actor_id: carol.actor_id }).expect(200)
  })

  it('leaves the list when it is deleted', async () => {
    await block(ada, bob).expect(200)
    await h.as(bob).delete(`/api/actors/${bob.actor_id}`).expect(200)
    expect(await h.as(ada).get(LIST).expect(200)).toEqual([])
  })
})
