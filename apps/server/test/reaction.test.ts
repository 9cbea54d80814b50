import { DEFAULT_TENANT, LIMITS } from '@collab-spaces/domain'
import { type Actor, NOTHING, query, spaceIdOf } from '@collab-spaces/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { operatorOf } from './support/operator.js'
import { useServer } from './support/server.js'
import { MessageReader } from './support/stream.js'
import { foundTenant, moveInto } from './support/tenant.js'

const h = useServer()
const THUMB = '👍'

let ada: Actor
let bob: Actor
let path: string
let event: string

beforeEach(async () => {
  ada = await h.registerHuman('Ada')
  bob = await h.registerHuman('Bob')
  path = await h.openSpace(ada)
  event = await say('Where shall we go?')
})

const say = async (text: string, fields: object = {}): Promise<string> =>
  (
    await h
      .as(bob)
      .post(`${path}/speech`, { text, ...fields })
      .expect(200)
  ).event_id
const pathOf = (emoji: string, to = event) => `${path}/events/${to}/reactions/${encodeURIComponent(emoji)}`
const react = (actor: Actor | string, emoji = THUMB, to = event) => h.as(actor).put(pathOf(emoji, to))
const reactions = () => h.as(ada).get(`${path}/events/${event}/reactions`).expect(200)
const named = (...actors: Actor[]) => actors.map(({ actor_id, display_name }) => ({ actor_id, name: display_name }))

describe('A reaction', () => {
  it('is listed with its event, and changes no other event', async () => {
    const beside = await h
      .as(ada)
      .get(`${path}/events/${await say('By train?')}`)
      .expect(200)
    for (const actor of [bob, ada, ada]) await react(actor).expect(200)
    await react(ada, '❤').expect(200)
    const shown = [
      { emoji: THUMB, count: 2, actors: named(bob, ada) },
      { emoji: '❤️', count: 1, actors: named(ada) },
    ]
    expect(await reactions()).toEqual(shown)
    expect(await h.as(ada).get(`${path}/events/${event}`).expect(200)).toMatchObject({ reactions: shown })
    for (const list of ['events', 'events?tail=true', 'transcript']) {
      const [first, second] = await h.as(ada).get(`${path}/${list}`).expect(200)
      expect(first).toMatchObject({ event_id: event, reactions: shown })
      expect(second).toEqual(beside)
    }
  })

  it('names ten actors in lists of events, and all actors in the list of reactions', async () => {
    const actors = await Promise.all(Array.from({ length: 12 }, () => h.registerHuman()))
    for (const actor of actors) await react(actor).expect(200)
    const [{ reactions: listed }] = await h.as(ada).get(`${path}/events`).expect(200)
    expect(listed).toEqual([{ emoji: THUMB, count: 12, actors: named(...actors.slice(0, 10)) }])
    expect(await reactions()).toEqual([{ emoji: THUMB, count: 12, actors: named(...actors) }])
  })

  it('is shown in a thread, in mentions, and in a page of long events', async () => {
    const { thread_id } = await h
      .as(ada)
      .post(`${path}/threads`, { parent_event_id: event, subject: 'Trip' })
      .expect(200)
    const mentioning = { thread_id, metadata: { mentions: [ada.actor_id] } }
    event = await say('x'.repeat(20_000), mentioning)
    await react(ada).expect(200)
    const shown = { event_id: event, reactions: [{ emoji: THUMB, count: 1, actors: named(ada) }] }
    const thread = await h.as(ada).get(`${path}/threads/${thread_id}`).expect(200)
    expect(thread.events).toEqual(expect.arrayContaining([expect.objectContaining(shown)]))
    for (const list of ['events', `mentions/${ada.actor_id}`]) {
      expect((await h.as(ada).get(`${path}/${list}`).expect(200)).at(-1)).toMatchObject(shown)
    }
  })

  it('can be removed, also twice', async () => {
    await react(ada).expect(200)
    for (const _ of [1, 2]) await h.as(ada).delete(pathOf(THUMB)).expect(200)
    expect(await reactions()).toEqual([])
    expect(await h.as(ada).get(`${path}/events/${event}`).expect(200)).not.toHaveProperty('reactions')
  })

  it.each(['a', '👍👍', ':+1:'])('is refused for %s, which is no single emoji', async (text) => {
    await react(ada, text).expect(400, 'emoji: must be a single emoji, such as 👍')
  })

  it('is refused for an unknown event, and for more than 20 emojis of one event', async () => {
    await react(ada, THUMB, NOTHING).expect(404, 'Event not found')
    const emojis = Array.from({ length: LIMITS.reactionEmojis }, (_, n) => String.fromCodePoint(0x1f600 + n))
    for (const emoji of emojis) await react(ada, emoji).expect(200)
    await react(bob).expect(409, /^The event has 20 different reactions already/)
    await react(bob, emojis[0]).expect(200)
  })

  it('can be neither added nor removed in a paused or archived space', async () => {
    await react(ada).expect(200)
    for (const act of ['pause', 'archive']) {
      if (act === 'pause') await h.as(ada).patch(path, { status: 'paused' }).expect(200)
      else await h.as(ada).post(`${path}/archive`).expect(200)
      await react(bob).expect(409, 'Space is not active')
      await h.as(ada).delete(pathOf(THUMB)).expect(409, 'Space is not active')
    }
  })

  it('needs a scope that agents lack by default', async () => {
    const agent = await h.registerAgent(ada)
    await react(agent).expect(403, 'Token lacks the scope "react"')
    await react(await h.registerAgent(ada, 'Scout', { scopes: ['read', 'react'] })).expect(200)
  })

  it('is sent to streams that request reactions, and is no event', async () => {
    const paths = [`${path}/events/stream?reactions=true`, '/api/actors/me/stream']
    const readers = await Promise.all(paths.map((at) => MessageReader.openAt(h.as(bob), at)))
    const silent = await MessageReader.openAt(h.as(bob), `${path}/events/stream?acts=true`)
    await h.as(bob).post(`${path}/join`).expect(200)
    await react(ada).expect(200)
    for (const reader of readers) {
      await reader.until(() => reader.named('reaction').length > 0)
      expect(reader.named('reaction')).toEqual([{ kind: 'reaction', space_id: spaceIdOf(path), event_id: event }])
    }
    expect(await h.as(ada).get(`${path}/events`).expect(200)).toHaveLength(1)
    await say('Later')
    await silent.until(() => silent.named('context_event').length > 1)
    expect(silent.named('reaction')).toEqual([])
    for (const reader of [...readers, silent]) await reader.close()
  })

  it("clears the event from the actor's own inbox, and reaches no other inbox", async () => {
    const metadata = { mentions: [ada.actor_id] }
    event = await say('Ada?', { metadata })
    const other = await say('Ada??', { metadata })
    await react(ada).expect(200)
    const { items } = await h.as(ada).get('/api/actors/me/inbox').expect(200)
    expect(items.map((item: { event: { event_id: string } }) => item.event.event_id)).toEqual([other])
    expect(await h.as(bob).get('/api/actors/me/inbox').expect(200)).toMatchObject({ counts: { unread: 0, notices: 0 } })
  })

  it('clears only its own event in a conversation, also when it is repeated', async () => {
    const { space_id } = await h
      .as(bob)
      .post('/api/conversations', { actor_ids: [ada.actor_id] })
      .expect(200)
    const talk = `/api/spaces/${space_id}`
    const sent: string[] = []
    for (const text of ['First', 'Second']) {
      sent.push((await h.as(bob).post(`${talk}/speech`, { text }).expect(200)).event_id)
    }
    const inboxTexts = async () => {
      const { items } = await h.as(ada).get('/api/actors/me/inbox').expect(200)
      return items.map((item: { event: { text: string } }) => item.event.text)
    }
    const thumb = `${talk}/events/${sent[1]}/reactions/${encodeURIComponent(THUMB)}`
    await h.as(ada).put(thumb).expect(200)
    expect(await inboxTexts()).toEqual(['First'])
    await query(h.connection, 'DELETE FROM snoozes WHERE actor_id = $1', [ada.actor_id])
    expect(await inboxTexts()).toEqual(['First', 'Second'])
    await h.as(ada).put(thumb).expect(200)
    expect(await inboxTexts()).toEqual(['First'])
  })

  it('is removed by the redaction of its event, which accepts no more reactions', async () => {
    await react(ada).expect(200)
    const by = ['--by', 'Ada', '--reason', 'Article 17', '--yes']
    await operatorOf(h)('event', 'redact', DEFAULT_TENANT, spaceIdOf(path), event, ...by)
    expect(await reactions()).toEqual([])
    await react(ada).expect(409, 'The event was redacted')
  })

  it('is removed with its actor, also in a tenant that the actor has left', async () => {
    const cy = await h.registerHuman('Cy')
    for (const actor of [ada, bob, cy]) await react(actor).expect(200)
    await moveInto(h.connection, await foundTenant(h.connection), cy)
    for (const actor of [bob, cy]) await h.as(actor).delete(`/api/actors/${actor.actor_id}`).expect(200)
    expect(await reactions()).toEqual([{ emoji: THUMB, count: 1, actors: named(ada) }])
  })
})

describe('In a private space', () => {
  it('only participants react', async () => {
    await h.as(ada).patch(path, { visibility: 'private' })
    const space_id = `private-${spaceIdOf(path)}`
    await h.as(ada).post('/api/spaces', { space_id, visibility: 'private' }).expect(200)
    const hidden = `/api/spaces/${space_id}`
    const { event_id } = await h.as(ada).post(`${hidden}/speech`, { text: 'Hidden' }).expect(200)
    const place = `${hidden}/events/${event_id}/reactions`
    await h
      .as(bob)
      .put(`${place}/${encodeURIComponent(THUMB)}`)
      .expect(404, 'Space not found')
    await h.as(bob).get(place).expect(404, 'Space not found')
    await h
      .as(ada)
      .put(`${place}/${encodeURIComponent(THUMB)}`)
      .expect(200)
    const scout = await h.registerAgent(bob, 'Scout')
    await h.as(ada).post(`${hidden}/participants`, { actor_id: scout.actor_id }).expect(200)
    expect(await h.as(bob).get(place).expect(200)).toHaveLength(1)
    await h
      .as(bob)
      .put(`${place}/${encodeURIComponent(THUMB)}`)
      .expect(403, /^Only participants of this space/)
  })
})
