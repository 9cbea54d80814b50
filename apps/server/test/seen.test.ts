import { LIMITS } from '@collab-spaces/domain'
import { type Actor, query, spaceIdOf } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { useServer } from './support/server.js'

const h = useServer()

describe('the read cursor of an actor in a space', () => {
  let ada: Actor
  let bob: Actor
  let path: string

  beforeAll(async () => {
    ada = await h.registerHuman('Ada')
    bob = await h.registerHuman('Bob')
  })

  const say = async (count: number): Promise<string[]> => {
    const events = Array.from({ length: count }, (_, n) => ({ text: `line ${n}`, speaker_id: 'x', speaker_name: 'X' }))
    const answer = await h.as(ada).post(`${path}/events/batch`, { events }).expect(200)
    return answer.map(({ event_id }: { event_id: string }) => event_id)
  }
  const seen = (who: Actor, event_id?: string | undefined) => h.as(who).put(`${path}/seen`, { event_id })
  const listed = async (who: Actor) => {
    const spaces = await h.as(who).get('/api/spaces').expect(200)
    return spaces.find(({ space_id }: { space_id: string }) => space_id === spaceIdOf(path))
  }
  const opened = async () => {
    path = await h.openSpace(ada)
    await h.as(bob).post(`${path}/join`, {}).expect(200)
  }

  it('is returned to each caller in lists and the status', async () => {
    await opened()
    const events = await say(3)
    expect(await listed(bob)).toMatchObject({ unread_count: 3, seen_event_id: null })
    const marked = await seen(bob, events[1]).expect(200)
    expect(marked).toEqual({ space_id: spaceIdOf(path), seen_event_id: events[1], unread_count: 1 })
    const own = { unread_count: 1, seen_event_id: events[1] }
    expect(await listed(bob)).toMatchObject(own)
    expect(await h.as(bob).get(`${path}/status`).expect(200)).toMatchObject(own)
    expect((await h.as(bob).get('/api/actors/me/spaces').expect(200))[0]).toMatchObject(own)
    expect(await listed(ada)).toMatchObject({ unread_count: 0, seen_event_id: null })
  })

  it('does not count own events as unread', async () => {
    await opened()
    await h.as(ada).post(`${path}/join`, {}).expect(200)
    await say(2)
    expect(await listed(ada)).toMatchObject({ unread_count: 0 })
    await h.as(bob).post(`${path}/speech`, { text: 'And I' }).expect(200)
    expect(await listed(ada)).toMatchObject({ unread_count: 1 })
  })

  it('moves back with PUT …/unseen, without a new notification', async () => {
    await opened()
    const unseen = (event_id?: string) => h.as(bob).put(`${path}/unseen`, { event_id })
    expect(await unseen().expect(200)).toMatchObject({ seen_event_id: null, unread_count: 0 })
    const events = await say(3)
    await seen(bob, events[2]).expect(200)
    expect(await unseen().expect(200)).toMatchObject({ seen_event_id: events[1], unread_count: 1 })
    expect(await unseen(events[2]).expect(200)).toMatchObject({ unread_count: 1 })
    expect(await unseen(events[0]).expect(200)).toMatchObject({ seen_event_id: null, unread_count: 3 })
    const { rows } = await query(
      h.connection,
      'SELECT delivered_through::int AS through FROM read_cursors WHERE actor_id = $1 AND space_id = $2',
      [bob.actor_id, spaceIdOf(path)],
    )
    expect(rows).toEqual([{ through: 3 }])
    await unseen('00000000-0000-7000-8000-000000000000').expect(404, 'Event not found')
  })

  it('never moves back with PUT …/seen, and defaults to the newest event', async () => {
    await opened()
    const events = await say(3)
    await seen(bob, events[2]).expect(200)
    expect(await seen(bob, events[0]).expect(200)).toMatchObject({ seen_event_id: events[2], unread_count: 0 })
    const [newest] = await say(1)
    expect(await seen(bob).expect(200)).toMatchObject({ seen_event_id: newest, unread_count: 0 })
  })

  it('counts unread events up to a limit', async () => {
    await opened()
    await say(LIMITS.unread)
    await say(1)
    expect(await listed(bob)).toMatchObject({ unread_count: LIMITS.unread })
  })

  it('counts no unread events in a space that the actor has neither joined nor read', async () => {
    await opened()
    const carol = await h.registerHuman('Carol')
    await say(2)
    expect(await listed(carol)).toMatchObject({ unread_count: 0 })
    await seen(carol).expect(200)
    await say(2)
    expect(await listed(carol)).toMatchObject({ unread_count: 2 })
  })

  it('is null in an empty space', async () => {
    await opened()
    expect(await seen(bob).expect(200)).toMatchObject({ seen_event_id: null, unread_count: 0 })
  })

  it('needs only the scope "read", and changes no inbox and no receipts of agents', async () => {
    await opened()
    const scout = await h.registerAgent(bob)
    const { event_id } = await h
      .as(ada)
      .post(`${path}/speech`, { text: 'You?', metadata: { mentions: [bob.actor_id, scout.actor_id] } })
      .expect(200)
    const { token } = await h
      .as(bob)
      .post('/api/personal-access-tokens', { name: 'reads', scopes: ['read'] })
      .expect(200)
    await h.as(token).put(`${path}/seen`, { event_id }).expect(200)
    await h.as(scout).put(`${path}/seen`, { event_id }).expect(200)
    const receipts = await h.as(ada).get(`${path}/events/${event_id}/receipts`).expect(200)
    const states = receipts.map(({ actor_id, state }: Record<string, string>) => [actor_id, state])
    expect(Object.fromEntries(states)).toMatchObject({ [bob.actor_id]: 'seen' })
    expect(Object.fromEntries(states)[scout.actor_id]).not.toBe('seen')
    expect((await h.as(bob).get('/api/actors/me/inbox').expect(200)).counts.unread).toBe(1)
  })

  it('is not written when it would not move', async () => {
    await opened()
    await say(1)
    await seen(bob).expect(200)
    const before = await versions()
    await seen(bob).expect(200)
    expect(await versions()).toEqual(before)
  })

  const versions = async () => {
    const { rows } = await query(h.connection, 'SELECT ctid, xmin FROM read_cursors WHERE space_id = $1', [
      spaceIdOf(path),
    ])
    return rows
  }

  it('returns 404 for unknown events, and for spaces that the caller cannot see', async () => {
    await opened()
    const [event] = await say(1)
    await seen(bob, crypto.randomUUID()).expect(404, 'Event not found')
    await h.as(bob).put('/api/spaces/nowhere/seen', {}).expect(404)
    await h.as(ada).patch(path, { visibility: 'private' }).expect(200)
    const carol = await h.registerHuman('Carol')
    await h.as(carol).put(`${path}/seen`, { event_id: event }).expect(404, 'Space not found')
  })
})
