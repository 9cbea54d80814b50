import { type Actor, query, spaceIdOf } from '@collab-spaces/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { hold, waiting } from './support/locks.js'
import { useServer } from './support/server.js'
import { foundTenant, moveInto } from './support/tenant.js'

// The default number of connections, as changes wait for each other here.
const h = useServer({ DATABASE_POOL: '20' })

let ada: Actor
let bob: Actor
let space: string

beforeEach(async () => {
  ada = await h.registerHuman('Ada')
  bob = await h.registerHuman('Bob')
  space = await h.openSpace(ada)
})

const pathOf = ({ actor_id }: Actor) => `/api/actors/${actor_id}`
const holdRow = (table: string, { actor_id }: Actor) =>
  hold(h.connection, `SELECT FROM ${table} WHERE actor_id = $1 FOR UPDATE`, [actor_id])
const blocked = (count: number) => waiting(h.connection, count)
const add = () => h.as(ada).post(`${space}/participants`, { actor_id: bob.actor_id })
const participants = async () =>
  (await h.as(ada).get(`${space}/participants`).expect(200)).map(({ actor_id }: Actor) => actor_id)

describe('a participant in its default space', () => {
  beforeEach(async () => {
    await h.as(bob).post(`${space}/join`).expect(200)
    const values = [bob.actor_id, spaceIdOf(space)]
    await query(h.connection, 'UPDATE actors SET default_space_id = $2 WHERE actor_id = $1', values)
  })
  const remove = () => h.as(ada).delete(`${space}/participants/${bob.actor_id}`)

  it('joins again while it is removed', async () => {
    const held = await hold(h.connection, 'SELECT FROM spaces WHERE space_id = $1 FOR UPDATE', [spaceIdOf(space)])
    const removing = remove()
    await blocked(1)
    const joining = h.as(bob).post(`${space}/join`)
    await blocked(2)
    await held.query('COMMIT')
    await removing.expect(200)
    await joining.expect(200)
    expect(await h.as(bob).get('/api/actors/me').expect(200)).toMatchObject({ default_space_id: null })
  })

  it('is not removed in a deadlock: 503, and the next attempt succeeds', async () => {
    const held = await holdRow('actors', bob)
    const removing = remove()
    await blocked(1)
    const locking = held.query('SELECT FROM actors WHERE actor_id = $1 FOR UPDATE', [ada.actor_id])
    const refused = await removing
    refused.expect(503, 'A concurrent change got in the way; try again')
    expect(refused.headers.get('retry-after')).toBe('1')
    await locking
    await held.query('COMMIT')
    await remove().expect(200)
  })
})

describe('an actor that is added to a space', () => {
  it('is no participant if it is deleted at the same time', async () => {
    const held = await holdRow('memberships', bob)
    const adding = add()
    await blocked(1)
    const deleting = h.as(bob).delete(pathOf(bob))
    await blocked(2)
    await held.query('COMMIT')
    await adding.expect(200)
    await deleting.expect(200)
    expect(await participants()).not.toContain(bob.actor_id)
  })

  it('is unknown if its deletion came first', async () => {
    const held = await holdRow('api_keys', bob)
    const deleting = h.as(bob).delete(pathOf(bob))
    await blocked(1)
    const adding = add()
    await blocked(2)
    await held.query('COMMIT')
    await deleting.expect(200)
    await adding.expect(404, 'Actor not found')
  })
})

it('a reaction is removed with an actor that is deleted while it reacts', async () => {
  const { event_id } = await h.as(ada).post(`${space}/speech`, { text: 'Where?' }).expect(200)
  const reactions = `${space}/events/${event_id}/reactions`
  const held = await hold(h.connection, 'SELECT FROM spaces WHERE space_id = $1 FOR UPDATE', [spaceIdOf(space)])
  const reacting = h.as(bob).put(`${reactions}/${encodeURIComponent('👍')}`)
  await blocked(1)
  const deleting = h.as(bob).delete(pathOf(bob))
  await blocked(2)
  await held.query('COMMIT')
  await reacting.expect(200)
  await deleting.expect(200)
  expect(await h.as(ada).get(reactions).expect(200)).toEqual([])
})

it('an agent uploads a file while its sponsor leaves the tenant', async () => {
  const tenant = await foundTenant(h.connection)
  const scout = await h.registerAgent(bob)
  await moveInto(h.connection, tenant, ada, bob, scout)
  const path = await h.openSpace(bob)
  const held = await holdRow('actors', scout)
  const headers = { 'content-type': 'text/plain' }
  const uploading = h.as(scout).post(`${path}/files?name=note.txt`, 'note', { headers })
  await blocked(1)
  const leaving = h.as(bob).post(`/api/tenants/${tenant}/leave`)
  await blocked(2)
  await held.query('COMMIT')
  await uploading.expect(200)
  await leaving.expect(200)
})
