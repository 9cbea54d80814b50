import { randomUUID } from 'node:crypto'
import { type Actor, type Client, spaceIdOf } from '@collab-spaces/testing'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { EVERYTHING } from './support/actor.js'
import { useServer } from './support/server.js'
import { MessageReader } from './support/stream.js'
import { foundTenant, moveInto } from './support/tenant.js'

/** The stream of an actor: messages about everything it may see, whichever server the change is made on. */

const here = useServer()
const there = useServer({}, here)

const STREAM = '/api/actors/me/stream'

let ada: Actor
let bob: Actor
let space: string
let id: string
beforeAll(async () => {
  ;[ada, bob] = [await here.registerHuman('Ada'), await here.registerHuman('Bob')]
})

const opened: MessageReader[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((reader) => reader.close()))
})

async function open(client: Client, query = ''): Promise<MessageReader> {
  const reader = await MessageReader.openAt(client, STREAM + query)
  opened.push(reader)
  return reader.until(({ comments }) => comments.length > 0)
}

const say = (client: Client, space: string, text: string, mentions: readonly string[] = []) =>
  client.post(`${space}/speech`, { text, metadata: { mentions } }).expect(200)

const texts = (reader: MessageReader, spaceId: string): string[] =>
  reader
    .named('context_event')
    .filter(({ space_id }) => space_id === spaceId)
    .map(({ text }) => text)

/** A new space that these have joined. */
async function spaceOf(...actors: Actor[]): Promise<string> {
  const space = await here.openSpace(ada)
  for (const actor of actors) await here.as(actor).post(`${space}/join`).expect(200)
  return space
}

describe('the stream of an actor', () => {
  beforeAll(async () => {
    space = await spaceOf(ada, bob)
    id = spaceIdOf(space)
  })

  it('reports the head and the unread count of each joined space, without the text of events', async () => {
    const reader = await open(here.as(bob))
    const { event_id, timestamp } = await say(there.as(ada), space, 'A secret word')
    await reader.until((reader) => reader.named('space').length > 0)
    expect(reader.named('space')[0]).toEqual({
      kind: 'space',
      space_id: id,
      event_count: 1,
      last_event_at: timestamp,
      seen_event_id: null,
      unread_count: 1,
    })
    await there.as(bob).put(`${space}/seen`, { event_id }).expect(200)
    await reader.until((reader) => reader.named('space').some(({ seen_event_id }) => seen_event_id === event_id))
    expect(reader.named('space').at(-1)).toMatchObject({ unread_count: 0 })
    expect(reader.raw).not.toContain('secret')
  })

  it('reports a change of the inbox', async () => {
    const reader = await open(here.as(bob))
    await say(there.as(ada), space, 'Bob?', [bob.actor_id])
    await reader.until((reader) => reader.named('inbox').length > 0)
    expect(reader.named('inbox')[0]).toEqual({ kind: 'inbox' })
    // When one client marks the item as done, the others are notified.
    const { done } = await there.as(bob).get('/api/actors/me/inbox').expect(200)
    await there.as(bob).post('/api/actors/me/inbox/done', done).expect(200)
    await reader.until((reader) => reader.named('inbox').length > 1)
  })

  it('reports an act about a decision, and a change of the space policy', async () => {
    const reader = await open(here.as(bob))
    const { decision_id } = await there
      .as(ada)
      .post(`${space}/decisions`, { proposed_by: 'Ada', text: 'Rome' })
      .expect(200)
    const reports = (decision_id: string | null) => (reader: MessageReader) =>
      reader.named('act').some((act) => act.space_id === id && act.decision_id === decision_id)
    await reader.until(reports(decision_id))
    await there
      .as(ada)
      .put(`${space}/policy`, { settle: { approvals: 1 } })
      .expect(200)
    await reader.until(reports(null))
  })

  it.each([
    ['status', 'a new description', (api: Client) => api.patch(space, { description: randomUUID() })],
    ['status', 'a new participant', async () => here.as(await here.registerHuman('Eve')).post(`${space}/join`)],
    [
      'status',
      'an agent that a code adds',
      async (api: Client) => {
        const { code } = await api.post('/api/agent-codes', { display_name: 'Aide', space_ids: [id] }).expect(200)
        return there.post('/api/agent-codes/redeem', { code, installation_id: 'laptop' })
      },
    ],
    [
      'links',
      'a link',
      (api: Client) => api.post(`${space}/links`, { target_uri: `https://example.org/${randomUUID()}` }),
    ],
    ['claims', 'a claim', (api: Client) => api.post(`${space}/claims`, { key: randomUUID() })],
  ] as const)('reports changed %s after %s', async (part, _what, change) => {
    const reader = await open(here.as(bob))
    await (await change(there.as(ada))).expect(200)
    await reader.until((reader) => reader.named('changed').some((message) => message.part === part))
    expect(reader.named('changed')).toEqual([{ kind: 'changed', space_id: id, part }])
  })

  it('reports a change of the inbox to the other participant of a conversation', async () => {
    const talk = await here.openConversation(ada, bob)
    const reader = await open(here.as(bob))
    await say(there.as(ada), talk, 'Hello')
    await reader.until((reader) => reader.named('inbox').length > 0)
    expect((await here.as(ada).get('/api/actors/me/inbox').expect(200)).items).toEqual([])
  })

  it('reports receipts when a human sees an event that addresses it, and not otherwise', async () => {
    const reader = await open(here.as(ada))
    const receipts = () => reader.named('changed').filter(({ part }) => part === 'receipts').length
    await say(there.as(ada), space, 'Seen, Bob?', [bob.actor_id])
    await there.as(bob).put(`${space}/seen`, {}).expect(200)
    await reader.until(() => receipts() > 0)
    const before = receipts()
    await say(there.as(ada), space, 'Nothing for Bob')
    await there.as(bob).put(`${space}/seen`, {}).expect(200)
    await say(there.as(ada), space, 'And this?', [bob.actor_id])
    await there.as(bob).put(`${space}/seen`, {}).expect(200)
    await reader.until(() => receipts() > before)
    expect(receipts()).toBe(before + 1)
  })

  it('reports receipts when an actor sees an event that addresses it, and when it marks it as done', async () => {
    const reader = await open(here.as(ada))
    await say(there.as(ada), space, 'Done, Bob?', [bob.actor_id])
    const { done } = await there.as(bob).get('/api/actors/me/inbox').expect(200)
    const receipts = () => reader.named('changed').filter(({ part }) => part === 'receipts').length
    await reader.until(() => receipts() > 0)
    const before = receipts()
    await there.as(bob).post('/api/actors/me/inbox/done', done).expect(200)
    await reader.until(() => receipts() > before)
  })

  it('reports the stop and start of an agent to actors who share a space with it', async () => {
    const agent = await here.registerAgent(ada, 'Aide', EVERYTHING)
    const carol = await here.registerHuman('Carol')
    await here.as(agent).post(`${space}/join`).expect(200)
    const [reader, stranger] = [await open(here.as(bob)), await open(here.as(carol))]
    await there.as(ada).post(`/api/actors/${agent.actor_id}/stop`).expect(200)
    await reader.until((reader) => reader.named('stop').length > 0)
    await there.as(ada).post(`/api/actors/${agent.actor_id}/start`).expect(200)
    await reader.until((reader) => reader.named('stop').length > 1)
    expect(reader.named('stop')).toEqual(Array(2).fill({ kind: 'stop', actor_id: agent.actor_id }))
    expect(stranger.named('stop')).toEqual([])
  })

  it('reports no stop of an agent to a credential without a common space', async () => {
    const agent = await here.registerAgent(ada, 'Aide', EVERYTHING)
    const other = await spaceOf(bob, agent)
    const { token } = await here
      .as(bob)
      .post('/api/personal-access-tokens', { name: 'x', space_ids: [id] })
      .expect(200)
    const [whole, limited] = [await open(here.as(bob)), await open(here.as(token))]
    await there.as(ada).post(`/api/actors/${agent.actor_id}/stop`).expect(200)
    await whole.until((reader) => reader.named('stop').length > 0)
    await say(there.as(ada), space, 'After the stop')
    await limited.until((reader) => reader.named('space').length > 0)
    expect(limited.named('stop')).toEqual([])
    await here.as(token).get(`${other}/status`).expect(404)
  })

  it('reports a new open space to actors who have not joined it', async () => {
    const reader = await open(here.as(bob))
    const space_id = `new-${randomUUID()}`
    await there.as(ada).post('/api/spaces', { space_id }).expect(200)
    await reader.until((reader) => reader.named('changed').some((message) => message.space_id === space_id))
  })
})

describe('the events of followed spaces', () => {
  it('start after the cursor of each space, continue live, and are in order', async () => {
    const [first, second] = [await spaceOf(ada, bob), await spaceOf(ada)]
    const ids = [first, second].map(spaceIdOf) as [string, string]
    const { event_id } = await say(here.as(ada), first, '1')
    for (const text of ['2', '3']) await say(there.as(ada), first, text)
    await say(here.as(ada), second, 'one')
    const reader = await open(here.as(bob), `?follow=${ids[0]}/${event_id},${ids[1]}`)
    await reader.until((reader) => reader.named('context_event').length === 3)
    await say(there.as(ada), second, 'two')
    await say(here.as(ada), first, '4')
    await reader.until((reader) => reader.named('context_event').length === 5)
    expect(texts(reader, ids[0])).toEqual(['2', '3', '4'])
    expect(texts(reader, ids[1])).toEqual(['one', 'two'])
    expect(reader.named('following')).toEqual([
      { kind: 'following', space_id: ids[0], since: event_id },
      { kind: 'following', space_id: ids[1], since: null },
    ])
  })

  it('start after the earlier of two cursors of one space', async () => {
    const space = await spaceOf(ada)
    const id = spaceIdOf(space)
    const events = []
    for (const text of ['1', '2', '3', '4']) events.push((await say(here.as(ada), space, text)).event_id)
    const reader = await open(here.as(ada), `?follow=${id}/${events[2]},${id}/${events[0]}`)
    await reader.until((reader) => reader.named('context_event').length === 3)
    expect(texts(reader, id)).toEqual(['2', '3', '4'])
    expect(reader.named('following')).toEqual([{ kind: 'following', space_id: id, since: events[0] }])
  })

  it('come with claims and acts of the space, also for a reader who has not joined', async () => {
    const space = await spaceOf(ada)
    const id = spaceIdOf(space)
    const reader = await open(here.as(bob), `?follow=${id}`)
    await there.as(ada).post(`${space}/claims`, { key: 'the train' }).expect(200)
    await reader.until((reader) => reader.named('changed').some(({ part }) => part === 'claims'))
    const { decision_id } = await there
      .as(ada)
      .post(`${space}/decisions`, { proposed_by: 'Ada', text: 'Go' })
      .expect(200)
    await reader.until((reader) => reader.named('act').some((act) => act.decision_id === decision_id))
    expect(reader.named('space')).toEqual([])
  })

  it('are not sent for an unknown space or cursor, while all other messages continue', async () => {
    const space = await spaceOf(ada, bob)
    const id = spaceIdOf(space)
    const reader = await open(here.as(bob), `?follow=nowhere,${id}/${randomUUID()}`)
    await reader.until((reader) => reader.named('unfollowed').length === 2)
    expect(reader.named('unfollowed')).toEqual([
      { kind: 'unfollowed', space_id: 'nowhere', detail: 'Space not found' },
      { kind: 'unfollowed', space_id: id, detail: 'Event not found' },
    ])
    await say(here.as(ada), space, 'Still there?')
    await reader.until((reader) => reader.named('space').length > 0)
  })

  it.each([
    ['?follow=a/b/c', 'follow: must be space ids, or space_id/event_id, separated by commas'],
    ['?follow=a,,b', 'follow: must be space ids, or space_id/event_id, separated by commas'],
    [`?follow=${Array.from({ length: 51 }, (_, n) => `s${n}`)}`, 'follow: must name at most 50 spaces'],
  ])('are rejected for %s', async (query, detail) => {
    await here
      .as(ada)
      .get(STREAM + query)
      .expect(400, detail)
  })
})

describe('a private space', () => {
  it('is hidden from actors outside it, and from a removed participant whose stream continues', async () => {
    const carol = await here.registerHuman('Carol')
    await moveInto(here.connection, await foundTenant(here.connection), carol)
    const members = [await here.registerHuman('Mia'), await here.registerHuman('Max'), await here.registerHuman('Ida')]
    const [mia, max, ida] = members as [Actor, Actor, Actor]
    await moveInto(here.connection, await foundTenant(here.connection), ...members)
    const space_id = `hiring-${randomUUID()}`
    const path = `/api/spaces/${space_id}`
    const readers = [await open(here.as(max)), await open(here.as(ida)), await open(here.as(carol))]
    const [inside, outside, stranger] = readers as [MessageReader, MessageReader, MessageReader]
    await there.as(mia).post('/api/spaces', { space_id, visibility: 'private' }).expect(200)
    await there.as(mia).post(`${path}/participants`, { actor_id: max.actor_id }).expect(200)
    await say(there.as(mia), path, 'Between us')
    await inside.until((reader) => reader.named('space').length > 0)

    const following = await open(here.as(max), `?follow=${space_id}`)
    await following.until((reader) => reader.named('context_event').length === 1)
    await there.as(mia).delete(`${path}/participants/${max.actor_id}`).expect(200)
    await following.until((reader) => reader.named('unfollowed').length === 1)
    const before = inside.messages.length
    await say(there.as(mia), path, 'Without Max')
    await there.as(mia).post(`${path}/claims`, { key: 'the offer' }).expect(200)

    // A later message about another space proves that every reader is up to date.
    const open_id = `open-${randomUUID()}`
    await there.as(mia).post('/api/spaces', { space_id: open_id }).expect(200)
    const hasHeard = (reader: MessageReader) => reader.named('changed').some((message) => message.space_id === open_id)
    for (const reader of [inside, outside, following]) await reader.until(hasHeard)
    expect(inside.messages.slice(before).filter(({ data }) => data.space_id === space_id)).toEqual([])
    expect(texts(following, space_id)).toEqual(['Between us'])
    for (const reader of [outside, stranger]) expect(reader.raw).not.toContain(space_id)
  })
})

describe('the connection', () => {
  it('ends with its credential, on every server', async () => {
    const eve = await here.registerHuman('Eve')
    const readers = [await open(here.as(eve)), await open(there.as(eve), `?follow=${spaceIdOf(await spaceOf())}`)]
    await here.as(eve).post(`/api/actors/${eve.actor_id}/rotate-key`).expect(200)
    for (const reader of readers) await reader.ended
  })

  it('reports only the spaces that the credential is limited to', async () => {
    const [mine, other] = [await spaceOf(ada, bob), await spaceOf(ada, bob)]
    const limited = await here
      .as(bob)
      .post('/api/personal-access-tokens', { name: 'one', scopes: ['read'], space_ids: [spaceIdOf(mine)] })
      .expect(200)
    const reader = await open(here.as({ ...bob, api_key: limited.token }), `?follow=${spaceIdOf(other)}`)
    await reader.until((reader) => reader.named('unfollowed').length === 1)
    await say(here.as(ada), other, 'Not for this one')
    await say(here.as(ada), mine, 'For this one')
    await reader.until((reader) => reader.named('space').length > 0)
    expect(reader.named('space').map(({ space_id }) => space_id)).toEqual([spaceIdOf(mine)])
  })

  it('is also a subscription of the typed router, whose messages have a kind', async () => {
    const space = await spaceOf(ada, bob)
    const input = JSON.stringify({ follow: spaceIdOf(space) })
    const reader = await MessageReader.openAt(here.as(bob), `/trpc/actor.stream?input=${encodeURIComponent(input)}`)
    opened.push(reader)
    await reader.until((reader) => reader.named('').length > 0)
    const { event_id } = await say(there.as(ada), space, 'Hello')
    await reader.until((reader) => reader.named('').some(({ kind }) => kind === 'space'))
    expect(reader.named('')).toContainEqual({
      kind: 'context_event',
      event: expect.objectContaining({ event_id, text: 'Hello' }),
    })
  })

  it('answers HEAD without a stream', async () => {
    const answer = await here.as(ada).send('HEAD', STREAM)
    answer.expect(200)
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  })
})
