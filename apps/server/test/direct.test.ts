import { type Actor, type Client, eventually, spaceIdOf } from '@collab-spaces/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { EVERYTHING } from './support/actor.js'
import { Receiver } from './support/receiver.js'
import { useServer } from './support/server.js'

/** In a conversation, every event addresses all other participants, like a mention elsewhere. */

const h = useServer()

const INBOX = '/api/actors/me/inbox'

let ada: Actor
let bob: Actor
let scout: Actor
let talk: string

beforeEach(async () => {
  ;[ada, bob] = [await h.registerHuman('Ada'), await h.registerHuman('Bob')]
  scout = await h.registerAgent(ada, 'Scout', EVERYTHING)
  talk = await h.openConversation(ada, bob, scout)
})

const inboxOf = (actor: Actor) => h.as(actor).get(INBOX).expect(200)
const say = (by: Actor, body: object = {}, path = talk) =>
  h
    .as(by)
    .post(`${path}/response`, { text: 'Hello', ...body })
    .expect(200)
/** Returns the texts in an inbox, each with its reasons. */
const waitsFor = async (actor: Actor): Promise<string[]> =>
  (await inboxOf(actor)).items.map(
    ({ event, kinds }: { event: { text: string }; kinds: string[] }) => `${event.text}: ${kinds.join(', ')}`,
  )
const markDone = (by: Actor, done: object) => h.as(by).post(`${INBOX}/done`, done).expect(200)
const mentioning = (...actors: Actor[]) => ({ metadata: { mentions: actors.map(({ actor_id }) => actor_id) } })

describe('the inbox of a participant in a conversation', () => {
  it.each([
    ['a speech', (client: Client) => client.post(`${talk}/speech`, { text: 'Hello' })],
    ['a response', (client: Client) => client.post(`${talk}/response`, { text: 'Hello' })],
    [
      'an event of any speaker',
      (client: Client) =>
        client.post(`${talk}/events`, {
          text: 'Hello',
          speaker_id: 'x',
          speaker_name: 'X',
          speaker_type: 'transcript',
        }),
    ],
    [
      'a batch',
      (client: Client) =>
        client.post(`${talk}/events/batch`, {
          events: [{ text: 'Hello', speaker_id: 'x', speaker_name: 'X', speaker_type: 'transcript' }],
        }),
    ],
  ])('has %s of every other participant', async (_, write) => {
    for (const poster of [ada, bob, scout]) {
      await write(h.as(poster)).expect(200)
      for (const actor of [ada, bob, scout]) {
        const { counts, items, done } = await inboxOf(actor)
        if (actor === poster) expect(counts.unread).toBe(0)
        else expect(items).toMatchObject([{ kinds: ['direct'], from_human: poster !== scout }])
        await markDone(actor, done)
      }
    }
  })

  it.each([
    ['mentions a participant', async () => mentioning(scout), ['mention', 'direct']],
    ['replies to a participant', async () => ({ parent_event_id: (await say(scout)).event_id }), ['reply', 'direct']],
    [
      'is in a thread of a participant',
      async () => {
        const { event_id } = await say(scout)
        const thread = { parent_event_id: event_id, subject: 'Plans' }
        const { thread_id } = await h.as(bob).post(`${talk}/threads`, thread).expect(200)
        return { thread_id }
      },
      ['thread', 'direct'],
    ],
    [
      'does all of this',
      async () => {
        const { event_id: parent_event_id } = await say(scout)
        const thread = { parent_event_id, subject: 'Plans' }
        const { thread_id } = await h.as(bob).post(`${talk}/threads`, thread).expect(200)
        return { thread_id, parent_event_id, ...mentioning(scout) }
      },
      ['mention', 'reply', 'thread', 'direct'],
    ],
  ])('has an event once when it %s', async (_, fields, kinds) => {
    await say(ada, await fields())
    const { counts, items } = await inboxOf(scout)
    expect(counts.unread).toBe(1)
    expect(items).toMatchObject([{ kinds }])
  })

  it('has no events for a sponsor who only reads, after leaving, or for an outsider', async () => {
    const carol = await h.registerHuman('Carol')
    const agents = await h.openConversation(scout, bob)
    await say(bob, { text: 'To the agent', ...mentioning(carol) }, agents)
    // A sponsor can read the spaces of its agent.
    await h.as(ada).get(`${agents}/status`).expect(200)
    expect([await waitsFor(ada), await waitsFor(carol)]).toEqual([[], []])
    await h.as(bob).post(`${talk}/leave`).expect(200)
    await say(ada, { text: 'Without Bob' })
    expect(await waitsFor(bob)).toEqual([])
    expect(await waitsFor(scout)).toEqual(['To the agent: direct', 'Without Bob: direct'])
    await h.openConversation(bob, ada, scout)
    await say(ada, { text: 'Bob is back' })
    expect(await waitsFor(bob)).toEqual(['Bob is back: direct'])
  })

  it("hides a blocked actor's events in a conversation of the two, but not in a group", async () => {
    const two = await h.openConversation(ada, bob)
    const three = await h.openConversation(ada, bob, await h.registerHuman('Carol'))
    await h.as(ada).put(`/api/actors/me/blocks/${bob.actor_id}`).expect(200)
    await say(bob, { text: 'Between us' }, two)
    await say(bob, { text: 'Among us' }, three)
    expect(await waitsFor(ada)).toEqual(['Among us: direct'])
  })

  it('has no events of other spaces, open or private', async () => {
    const open = await h.openSpace(ada)
    const hidden = await h.openSpace(ada)
    await h.as(ada).patch(hidden, { visibility: 'private' }).expect(200)
    for (const space of [open, hidden]) {
      await h.as(ada).post(`${space}/participants`, { actor_id: scout.actor_id }).expect(200)
    }
    for (const space of [open, hidden]) await say(ada, {}, space)
    expect(await waitsFor(scout)).toEqual([])
  })

  it('is done through an event, and keeps the later ones', async () => {
    await say(ada, { text: 'one' })
    const { event_id } = await say(ada, { text: 'two' })
    await say(ada, { text: 'three' })
    await markDone(scout, { through: [{ space_id: spaceIdOf(talk), event_id }] })
    expect(await waitsFor(scout)).toEqual(['three: direct'])
  })
})

describe('the receipts of an event in a conversation', () => {
  const receiptsOf = (event_id: string): Promise<{ actor_id: string; state: string }[]> =>
    h.as(ada).get(`${talk}/events/${event_id}/receipts`).expect(200)
  const statesOf = async (event_id: string) =>
    new Map((await receiptsOf(event_id)).map(({ actor_id, state }) => [actor_id, state]))

  it('show the state of each other participant as it changes', async () => {
    for (const actor of [bob, scout]) await h.as(actor).get('/api/actors/me').expect(200)
    const { event_id } = await say(ada, { text: 'Where to?' })
    expect([...(await statesOf(event_id)).keys()].sort()).toEqual([bob.actor_id, scout.actor_id].sort())
    const becomes = (actor: Actor, state: string) =>
      eventually(async () => (await statesOf(event_id)).get(actor.actor_id) === state)
    await becomes(scout, 'waiting')
    await inboxOf(scout)
    await becomes(scout, 'seen')
    // Only a read cursor shows that a human has seen it; other reads do not.
    for (const path of [`${talk}/events`, '/api/actors/me/inbox']) await h.as(bob).get(path).expect(200)
    expect((await statesOf(event_id)).get(bob.actor_id)).toBe('waiting')
    await h.as(bob).put(`${talk}/seen`, {}).expect(200)
    await becomes(bob, 'seen')
    await say(scout, { text: 'To the sea', parent_event_id: event_id })
    await becomes(scout, 'answered')
    const through = [{ space_id: spaceIdOf(talk), event_id }]
    for (const actor of [bob, scout]) await markDone(actor, { through, outcome: 'declined' })
    await becomes(scout, 'declined')
    // What a human marks as done stays private.
    expect((await statesOf(event_id)).get(bob.actor_id)).toBe('seen')
  })

  it('are of the participants at the time of the event', async () => {
    const before = await say(ada, { text: 'While Bob is there' })
    await h.as(bob).post(`${talk}/leave`).expect(200)
    const after = await say(ada, { text: 'While Bob is away' })
    await h.openConversation(bob, ada, scout)
    expect([...(await statesOf(before.event_id)).keys()].sort()).toEqual([bob.actor_id, scout.actor_id].sort())
    expect([...(await statesOf(after.event_id)).keys()]).toEqual([scout.actor_id])
    await h.as(bob).post(`${talk}/leave`).expect(200)
    expect([...(await statesOf(before.event_id)).keys()].sort()).toEqual([bob.actor_id, scout.actor_id].sort())
  })
})

describe("the webhook of an agent's inbox", () => {
  it('gets events of a conversation, with the reason', async () => {
    const receiver = await Receiver.listen()
    const webhook = { url: receiver.url(), inbox_of: scout.actor_id }
    const { secret, webhook_id } = await h.as(scout).post('/api/webhooks', webhook).expect(200)
    receiver.secrets.set(webhook_id, secret)
    const { event_id } = await say(bob)
    await eventually(() => receiver.received.length > 0)
    const items = receiver.received.flatMap(({ data }) => data.items)
    expect(items).toEqual([{ event_id, kinds: ['direct'], from_human: true }])
  })
})

describe('the loop guard of a conversation', () => {
  it.each([
    ['one agent', () => [ada, scout], { total: 0, per_agent: 0 }],
    ['no agent', () => [ada, bob], { total: 0, per_agent: 0 }],
  ])('is off by default with %s', async (_, participants, guard) => {
    const [starter, ...others] = participants() as [Actor, ...Actor[]]
    const path = await h.openConversation(starter, ...others)
    expect(await h.as(starter).get(`${path}/policy`).expect(200)).toMatchObject({ loop_guard: guard, changed_by: null })
  })

  it('is on by default with several agents, recorded as an act, and changed by the owner', async () => {
    const aide = await h.registerAgent(bob, 'Aide')
    for (const [starter, owner, ...others] of [
      [ada, ada, bob, scout, aide],
      [scout, ada, aide],
    ] as [Actor, Actor, ...Actor[]][]) {
      const path = await h.openConversation(starter, ...others)
      const loop_guard = { total: 200, per_agent: 50 }
      const policy = { loop_guard, changed_by: starter.actor_id }
      expect(await h.as(starter).get(`${path}/policy`).expect(200)).toMatchObject(policy)
      expect(await h.as(starter).get(`${path}/acts`).expect(200)).toMatchObject([
        { kind: 'policy_changed', actor_id: starter.actor_id, after: { loop_guard } },
      ])
      await h
        .as(owner)
        .put(`${path}/policy`, { loop_guard: { total: 0, per_agent: 0 } })
        .expect(200)
      // Reopening the conversation does not set it again.
      await h.openConversation(aide, starter, ...others.filter((other) => other !== aide))
      expect(await h.as(starter).get(`${path}/policy`).expect(200)).toMatchObject({ loop_guard: { total: 0 } })
    }
  })

  it('ends a loop of agents that answer each other', async () => {
    const aide = await h.registerAgent(bob, 'Aide')
    const path = await h.openConversation(ada, scout, aide)
    await h
      .as(ada)
      .put(`${path}/policy`, { loop_guard: { total: 6 } })
      .expect(200)
    await say(ada, { text: 'Go' }, path)
    const answers: number[] = []
    // Each agent answers every event in its inbox until it gets 409.
    for (let turn = 0; turn < 10; turn++) {
      for (const agent of [scout, aide]) {
        const { items, done } = await inboxOf(agent)
        if (items.length === 0) continue
        answers.push((await h.as(agent).post(`${path}/response`, { text: 'And you?' })).status)
        await markDone(agent, done)
      }
    }
    expect(answers.slice(0, 6)).toEqual(Array.from({ length: 6 }, () => 200))
    expect([...new Set(answers.slice(6))]).toEqual([409])
    expect([await waitsFor(scout), await waitsFor(aide)]).toEqual([[], []])
  })
})
