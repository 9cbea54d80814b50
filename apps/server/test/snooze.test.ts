import { type Actor, query, spaceIdOf } from '@collab-spaces/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { useServer } from './support/server.js'

const h = useServer()
const INBOX = '/api/actors/me/inbox'
const TOMORROW = new Date(Date.now() + 86_400_000).toISOString()

let ada: Actor
let bob: Actor
let path: string

beforeEach(async () => {
  ada = await h.registerHuman('Ada')
  bob = await h.registerHuman('Bob')
  path = await h.openSpace(ada)
})

const mention = (text: string, fields: object = {}) =>
  h
    .as(bob)
    .post(`${path}/speech`, { text, metadata: { mentions: [ada.actor_id] }, ...fields })
    .expect(200)
const inbox = () => h.as(ada).get(INBOX).expect(200)
const texts = async () => (await inbox()).items.map(({ event }: { event: { text: string } }) => event.text)
const snooze = (event_id: string, until?: string) =>
  h.as(ada).post(`${INBOX}/snooze`, { items: [{ space_id: spaceIdOf(path), event_id }], until })

describe('A snoozed item', () => {
  it('comes back at its time, alone', async () => {
    const first = await mention('first')
    await mention('second')
    await snooze(first.event_id, TOMORROW).expect(200)
    expect(await inbox()).toMatchObject({ counts: { unread: 1 }, next_snooze_at: TOMORROW })
    expect(await texts()).toEqual(['second'])
    await query(h.connection, `UPDATE snoozes SET until = now() WHERE actor_id = $1`, [ada.actor_id])
    expect(await texts()).toEqual(['first', 'second'])
    expect(await inbox()).toMatchObject({ next_snooze_at: null })
  })

  it('comes back with a later item of its space, also without a time', async () => {
    const { event_id } = await mention('first')
    for (const until of [undefined, TOMORROW]) {
      await snooze(event_id, until).expect(200)
      expect(await texts()).not.toContain('first')
      await mention('an answer')
      expect(await texts()).toContain('first')
    }
  })

  it('comes back at once for a time that has passed, and is gone once it is done', async () => {
    const { event_id } = await mention('first')
    await snooze(event_id, TOMORROW).expect(200)
    await snooze(event_id, '2020-01-01').expect(200)
    expect(await texts()).toEqual(['first'])
    await snooze(event_id, TOMORROW).expect(200)
    await h
      .as(ada)
      .post(`${INBOX}/done`, { through: [{ space_id: spaceIdOf(path), event_id }] })
      .expect(200)
    expect(await inbox()).toMatchObject({ counts: { unread: 0 }, next_snooze_at: null })
    const next = await mention('next')
    await snooze(next.event_id).expect(200)
    const { rowCount } = await query(h.connection, 'SELECT FROM snoozes WHERE actor_id = $1', [ada.actor_id])
    expect(rowCount).toBe(1)
  })

  it('must be in the inbox of the caller, a human', async () => {
    const { event_id } = await h.as(bob).post(`${path}/speech`, { text: 'to no one' }).expect(200)
    await snooze(event_id).expect(404, 'Item not found')
    const scout = await h.registerAgent(ada)
    await h
      .as(scout)
      .post(`${INBOX}/snooze`, { items: [{ space_id: spaceIdOf(path), event_id }] })
      .expect(403, 'Only a human actor may do this')
  })
})

describe('A snooze', () => {
  it('does not tell that there is a private space, nor what is in it', async () => {
    const space_id = `hidden-${bob.actor_id}`
    await h.as(bob).post('/api/spaces', { space_id, visibility: 'private' }).expect(200)
    const { event_id } = await h.as(bob).post(`/api/spaces/${space_id}/speech`, { text: 'hidden' }).expect(200)
    const ask = (of: string) => h.as(ada).post(`${INBOX}/snooze`, { items: [{ space_id: of, event_id }] })
    await ask(space_id).expect(404, 'Space not found')
    await ask('no-such-space').expect(404, 'Space not found')
    await ask(spaceIdOf(path)).expect(404, 'Item not found')
  })
})

describe('An answered item', () => {
  it('leaves the inbox of a human, alone', async () => {
    await mention('first')
    const { event_id } = await mention('second')
    await mention('third')
    await h.as(ada).post(`${path}/speech`, { text: 'Yes', parent_event_id: event_id }).expect(200)
    expect(await texts()).toEqual(['first', 'third'])
    // A later item does not bring it back.
    await mention('fourth')
    expect(await texts()).toEqual(['first', 'third', 'fourth'])
  })

  it('is everything in the thread, or before in a conversation', async () => {
    const anchor = await mention('in its own thread')
    const { thread_id } = await h
      .as(bob)
      .post(`${path}/threads`, { parent_event_id: anchor.event_id, subject: 'Aside' })
      .expect(200)
    await mention('in the thread', { thread_id })
    await mention('elsewhere')
    await h.as(ada).post(`${path}/speech`, { text: 'Yes', thread_id }).expect(200)
    expect(await texts()).toEqual(['elsewhere'])

    const { space_id } = await h
      .as(bob)
      .post('/api/conversations', { actor_ids: [ada.actor_id] })
      .expect(200)
    const say = (actor: Actor, text: string) => h.as(actor).post(`/api/spaces/${space_id}/speech`, { text }).expect(200)
    await say(bob, 'one')
    const two = await say(bob, 'two')
    await say(ada, 'both')
    await say(bob, 'three')
    expect(await texts()).toEqual(['elsewhere', 'three'])
    const receipts = await h.as(bob).get(`/api/spaces/${space_id}/events/${two.event_id}/receipts`).expect(200)
    expect(receipts).toMatchObject([{ actor_id: ada.actor_id, state: 'answered' }])
  })
})
