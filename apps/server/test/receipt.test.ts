import { type Actor, eventually, NOTHING, query, spaceIdOf } from '@collab-spaces/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { TIMESTAMP } from './support/form.js'
import { Receiver } from './support/receiver.js'
import { useServer } from './support/server.js'
import { StreamReader } from './support/stream.js'
import { foundTenant, makeAdmin, moveInto } from './support/tenant.js'

const h = useServer()

let ada: Actor
let scout: Actor
let space: string
let event_id: string

const INBOX = '/api/actors/me/inbox'

const say = async (actor: Actor, body: object): Promise<string> =>
  (
    await h
      .as(actor)
      .post(`${space}/response`, { text: 'Hello', ...body })
      .expect(200)
  ).event_id
const mention = (...actors: Actor[]) => say(ada, { metadata: { mentions: actors.map(({ actor_id }) => actor_id) } })
const fetchInbox = (actor: Actor) => h.as(actor).get(INBOX).expect(200)
const done = (actor: Actor, event_id: string, more: object = {}) =>
  h
    .as(actor)
    .post(`${INBOX}/done`, { through: [{ space_id: spaceIdOf(space), event_id }], ...more })
    .expect(200)
const receiptsOf = (id = event_id, wait = 0, by = ada) =>
  h.as(by).get(`${space}/events/${id}/receipts?wait=${wait}`).expect(200)
const receiptOf = async (id = event_id) => (await receiptsOf(id))[0]
/** Waits until the receipt has this state: a delivery is recorded a moment after the response. */
const becomes = (state: string, id = event_id) => eventually(async () => (await receiptOf(id)).state === state)

const silentFor = (actor: Actor, seconds: number) =>
  query(h.connection, `UPDATE actors SET last_seen_at = now() - $2 * interval '1 second' WHERE actor_id = $1`, [
    actor.actor_id,
    seconds,
  ])

/** Starts a long poll for the receipts that no recent event of the space can end. */
async function awaitedReceipts() {
  await query(h.connection, `UPDATE spaces SET last_event_at = now() - interval '1 minute' WHERE space_id = $1`, [
    spaceIdOf(space),
  ])
  const waiting = receiptsOf(event_id, 50)
  expect(['waiting', 'unreachable']).toContain((await receiptOf()).state)
  return { waiting }
}

beforeEach(async () => {
  ada = await h.registerHuman('Ada')
  scout = await h.registerAgent(ada, 'Scout')
  space = await h.openSpace(ada)
  await h.as(scout).get('/api/actors/me').expect(200)
  event_id = await mention(scout)
})

describe('GET /api/spaces/{space_id}/events/{event_id}/receipts', () => {
  it('returns no receipt for an event without recipients, and 404 for an unknown event or space', async () => {
    expect(await receiptsOf(await say(ada, {}))).toEqual([])
    await h.as(ada).get(`${space}/events/nonsense/receipts`).expect(404, 'Event not found')
    await h.as(ada).get('/api/spaces/nowhere/events/nonsense/receipts').expect(404, 'Space not found')
  })

  it('returns waiting while the recipient has not fetched the event', async () => {
    await eventually(async () => (await receiptOf()).last_seen_at !== null)
    const { timestamp } = await h.as(ada).get(`${space}/events/${event_id}`).expect(200)
    expect(await receiptsOf()).toEqual([
      {
        actor_id: scout.actor_id,
        name: 'Scout',
        state: 'waiting',
        since: timestamp,
        by_event_id: null,
        claim: null,
        done: false,
        reason: null,
        last_seen_at: expect.stringMatching(TIMESTAMP),
      },
    ])
  })

  it('lists the poster of the answered event and the participants of its thread', async () => {
    const bob = await h.registerHuman('Bob')
    const thread = { parent_event_id: event_id, subject: 'More' }
    const { thread_id } = await h.as(bob).post(`${space}/threads`, thread).expect(200)
    const reply = await say(scout, { parent_event_id: event_id, thread_id })
    const idsOf = async (id: string, poster: Actor) =>
      (await receiptsOf(id, 0, poster)).map(({ actor_id }: { actor_id: string }) => actor_id)
    expect(await idsOf(reply, scout)).toEqual([ada.actor_id, bob.actor_id].sort())
    expect(await idsOf(await say(bob, { thread_id }), bob)).toEqual([ada.actor_id, scout.actor_id].sort())
  })

  it('returns unreachable with last_seen_at when the actor has been silent for two minutes', async () => {
    await silentFor(scout, 90)
    expect(await receiptOf()).toMatchObject({ state: 'waiting' })
    await silentFor(scout, 121)
    const { state, last_seen_at } = await receiptOf()
    expect(state).toBe('unreachable')
    expect(Date.now() - Date.parse(last_seen_at)).toBeGreaterThan(120_000)
    await h.as(scout).get('/api/actors/me').expect(200)
    await becomes('waiting')
    await h.as(ada).delete(`/api/actors/${scout.actor_id}`).expect(200)
    expect(await receiptOf()).toMatchObject({ state: 'unreachable' })
  })

  it('tells since when an agent is unreachable no more precisely than its card', async () => {
    const { timestamp } = await h.as(ada).get(`${space}/events/${event_id}`).expect(200)
    await silentFor(scout, -90)
    await h.as(ada).delete(`/api/actors/${scout.actor_id}`).expect(200)
    const { state, since, last_seen_at } = await receiptOf()
    expect(state).toBe('unreachable')
    expect(since).toBe(last_seen_at)
    const [shown] = await receiptsOf(event_id, 0, await h.registerHuman('Eve'))
    expect(shown).toMatchObject({ state, since: timestamp, last_seen_at: null })
  })

  it('returns nothing of what an agent does after it has left the tenant', async () => {
    const bob = await h.registerHuman('Bob')
    const { timestamp } = await h.as(ada).get(`${space}/events/${event_id}`).expect(200)
    await moveInto(h.connection, await foundTenant(h.connection), ada, scout)
    const left = { state: 'unreachable', since: timestamp, last_seen_at: null }
    for (const act of ['stop', 'start']) {
      await h.as(ada).post(`/api/actors/${scout.actor_id}/${act}`).expect(200)
      await silentFor(scout, -90)
      expect(await receiptsOf(event_id, 0, bob)).toMatchObject([left])
    }
  })

  it('returns waiting after HEAD, which delivers nothing', async () => {
    for (const path of [INBOX, `${space}/events`]) expect((await h.as(scout).send('HEAD', path)).status).toBe(200)
    // Deliveries are recorded in order.
    const bob = await h.registerAgent(ada, 'Bob')
    const both = await mention(scout, bob)
    await fetchInbox(bob)
    await eventually(async () => (await receiptsOf(both)).some(({ state }: { state: string }) => state === 'seen'))
    expect(await receiptOf()).toMatchObject({ state: 'waiting' })
  })

  it('returns seen once an inbox has returned the event, also after a newer event', async () => {
    await fetchInbox(scout)
    await becomes('seen')
    const { since } = await receiptOf()
    expect(since).toMatch(TIMESTAMP)
    await fetchInbox(scout)
    const later = await mention(scout)
    expect(await receiptOf(later)).toMatchObject({ state: 'waiting' })
    expect((await receiptOf()).since).toBe(since)
    await fetchInbox(scout)
    await becomes('seen', later)
    // Only the newest batch has its time.
    expect(await receiptOf()).toMatchObject({ state: 'seen', since: null })
  })

  it('returns seen once a stream has delivered the event, unless the stream skipped an earlier one', async () => {
    const stream = await StreamReader.open(h.as(scout), space)
    await becomes('seen')
    await stream.close()

    const missed = await mention(scout)
    const bob = await h.registerAgent(ada, 'Bob')
    const late = await StreamReader.open(h.as(scout), space, { query: `?since=${missed}` })
    const whole = await StreamReader.open(h.as(bob), space)
    const later = await mention(scout, bob)
    await late.read(1)
    const stateOf = async ({ actor_id }: Actor) =>
      (await receiptsOf(later)).find((receipt: { actor_id: string }) => receipt.actor_id === actor_id).state
    // Both are noted at the same time.
    await eventually(async () => (await stateOf(bob)) === 'seen')
    expect(await stateOf(scout)).toBe('waiting')
    expect(await receiptOf(missed)).toMatchObject({ state: 'waiting' })
    await Promise.all([late.close(), whole.close()])
  })

  it('returns seen once a page of the history has returned the event, with or without a long poll', async () => {
    const waiting = h.as(scout).get(`${space}/events?since=${await say(ada, {})}&wait=50`)
    await fetchInbox(scout)
    await becomes('seen')
    const later = await mention(scout)
    await waiting.expect(200)
    await becomes('seen', later)
    const last = await mention(scout)
    await h.as(scout).get(`${space}/events?tail=true&limit=1`).expect(200)
    await becomes('seen', last)
    expect(await receiptOf(later)).toMatchObject({ state: 'seen', since: null })
  })

  it('returns waiting when a page of the history skipped an undelivered event', async () => {
    const bob = await h.registerAgent(ada, 'Bob')
    const later = await mention(scout, bob)
    for (const actor of [scout, bob]) await h.as(actor).get(`${space}/events?since=${event_id}`).expect(200)
    const statesOf = async (id: string) => (await receiptsOf(id)).map(({ state }: { state: string }) => state)
    // Both are noted at the same time.
    await eventually(async () => (await statesOf(later)).includes('seen'))
    expect((await statesOf(later)).sort()).toEqual(['seen', 'waiting'])
    expect(await statesOf(event_id)).toEqual(['waiting'])
    await h.as(scout).get(`${space}/events`).expect(200)
    await becomes('seen')
    expect(await statesOf(later)).toEqual(['seen', 'seen'])
  })

  it('returns seen once a webhook has delivered the event', async () => {
    const receiver = await Receiver.listen()
    await fetchInbox(scout)
    await becomes('seen')
    const body = { url: receiver.url(), inbox_of: scout.actor_id }
    const { webhook_id, secret } = await h.as(ada).post('/api/webhooks', body).expect(200)
    receiver.secrets.set(webhook_id, secret)
    await becomes('seen', await mention(scout))
  })

  it('returns working with the claim and its progress, and seen again when the claim expires', async () => {
    await fetchInbox(scout)
    await becomes('seen')
    const { claim_id, claimed_at, expires_at } = await h.as(scout).post(`${space}/claims`, { event_id }).expect(200)
    await h.as(scout).put(`${space}/progress`, { claim_id, text: 'Half' }).expect(200)
    const claim = { claim_id, expires_at, progress: 'Half' }
    expect(await receiptOf()).toMatchObject({ state: 'working', since: claimed_at, claim })
    await query(h.connection, 'UPDATE work_claims SET expires_at = now() WHERE claim_id = $1', [claim_id])
    expect(await receiptOf()).toMatchObject({ state: 'seen', claim: null })
  })

  it('returns answered with the first reply', async () => {
    await say(scout, {})
    expect(await receiptOf()).toMatchObject({ state: 'waiting' })
    const reply = await say(scout, { parent_event_id: event_id })
    await say(scout, { parent_event_id: event_id })
    expect(await receiptOf()).toMatchObject({ state: 'answered', by_event_id: reply, done: false })
  })

  it('counts a post before done as the answer, unless it replies to another event', async () => {
    const other = await mention(scout)
    const reply = await say(scout, { parent_event_id: other })
    await done(scout, other)
    expect(await receiptOf(other)).toMatchObject({ state: 'answered', by_event_id: reply })
    expect(await receiptOf()).toMatchObject({ state: 'seen', by_event_id: null, done: true })

    const third = await mention(scout)
    const answer = await say(scout, {})
    await done(scout, third)
    await say(scout, {})
    expect(await receiptOf(third)).toMatchObject({ state: 'answered', by_event_id: answer, done: true })
  })

  it('does not count a post after done as the answer', async () => {
    await done(scout, event_id)
    await say(scout, {})
    const later = await mention(scout)
    await done(scout, later)
    expect(await receiptOf()).toMatchObject({ state: 'seen', by_event_id: null, done: true })
  })

  it('returns declined with the reason for all events that the request marked as done', async () => {
    const later = await mention(scout)
    await done(scout, later, { outcome: 'declined', reason: 'I only read mail' })
    for (const id of [event_id, later])
      expect(await receiptOf(id)).toMatchObject({ state: 'declined', reason: 'I only read mail', done: true })
    await h.as(scout).post(`${INBOX}/done`, { outcome: 'failed' }).expect(400, 'outcome: must be one of declined')
  })

  it('returns stopped while the agent is stopped', async () => {
    await h.as(ada).post(`/api/actors/${scout.actor_id}/stop`, {}).expect(200)
    expect(await receiptOf()).toMatchObject({ state: 'stopped', since: expect.stringMatching(TIMESTAMP) })
    await h.as(ada).post(`/api/actors/${scout.actor_id}/start`).expect(200)
    expect(await receiptOf()).toMatchObject({ state: 'waiting' })
  })

  it('returns the receipts of several events in the requested order, without unknown events', async () => {
    const later = await mention(scout)
    const unaddressed = await say(ada, {})
    await say(scout, { parent_event_id: later })
    const ids = [unaddressed, later, NOTHING, event_id, later]
    const found = await h
      .as(ada)
      .get(`${space}/receipts?event_ids=${ids.join(',')}`)
      .expect(200)
    expect(found).toEqual([
      { event_id: unaddressed, receipts: [] },
      { event_id: later, receipts: await receiptsOf(later) },
      { event_id, receipts: await receiptsOf() },
    ])
    expect(found[1].receipts[0].state).toBe('answered')
    expect(found[2].receipts[0].state).toBe('waiting')
    const other = await h.openSpace(ada)
    expect(await h.as(ada).get(`${other}/receipts?event_ids=${event_id},nonsense`).expect(200)).toEqual([])
    await h.as(ada).get(`${space}/receipts`).expect(400, 'event_ids: must be event ids, separated by commas')
    await h.as(ada).get(`${space}/receipts?event_ids=,`).expect(400, 'event_ids: must be 1 to 50 event ids')
    const many = Array.from({ length: 51 }, () => event_id).join(',')
    await h.as(ada).get(`${space}/receipts?event_ids=${many}`).expect(400, 'event_ids: must be 1 to 50 event ids')
  })

  it('answers a long poll when no recipient can still answer', async () => {
    const rival = await h.registerAgent(ada, 'Rival')
    event_id = await mention(scout, rival)
    let isAnswered = false
    const answered = receiptsOf(event_id, 50).then((receipts: { state: string }[]) => {
      isAnswered = true
      return receipts.map(({ state }) => state).sort()
    })
    await say(scout, { parent_event_id: event_id })
    await eventually(async () => (await receiptsOf()).some(({ state }: { state: string }) => state === 'answered'))
    expect(isAnswered).toBe(false)
    await done(rival, event_id, { outcome: 'declined' })
    expect(await answered).toEqual(['answered', 'declined'])
  })

  it.each([
    ['deleted', (agent: Actor) => h.as(ada).delete(`/api/actors/${agent.actor_id}`), 'unreachable'],
    ['stopped', (agent: Actor) => h.as(ada).post(`/api/actors/${agent.actor_id}/stop`, {}), 'stopped'],
  ])('answers a long poll when the agent is %s', async (_, end, state) => {
    const { waiting } = await awaitedReceipts()
    await end(scout)
    expect(await waiting).toMatchObject([{ state }])
  })

  it('answers a long poll when the human is disabled', async () => {
    const bob = await h.registerHuman('Bob')
    ada = await h.registerHuman('Ada')
    await moveInto(h.connection, await foundTenant(h.connection), ada, bob)
    await makeAdmin(h.connection, ada)
    space = await h.openSpace(ada)
    await h.as(bob).get('/api/actors/me').expect(200)
    event_id = await mention(bob)
    const { waiting } = await awaitedReceipts()
    await h.as(ada).post(`/api/actors/${bob.actor_id}/disable`).expect(200)
    expect(await waiting).toMatchObject([{ state: 'unreachable' }])
  })

  it('answers a long poll when the recipient is removed from the private space', async () => {
    await h.as(ada).patch(space, { visibility: 'private' }).expect(200)
    await h.as(ada).post(`${space}/participants`, { actor_id: scout.actor_id }).expect(200)
    event_id = await mention(scout)
    expect(await receiptOf()).toMatchObject({ state: 'waiting' })
    const { waiting } = await awaitedReceipts()
    await h.as(ada).delete(`${space}/participants/${scout.actor_id}`).expect(200)
    expect(await waiting).toMatchObject([{ state: 'unreachable' }])
  })

  describe('for a human', () => {
    let bob: Actor
    const ofBob = (receipts: readonly { actor_id: string; state: string }[]) =>
      receipts.find(({ actor_id }) => actor_id === bob.actor_id)

    beforeEach(async () => {
      bob = await h.registerHuman('Bob')
      await h.as(bob).post(`${space}/join`).expect(200)
      event_id = await mention(bob, scout)
    })

    it('shows the receipt only to the poster of the event, also in a batch', async () => {
      const carol = await h.registerHuman('Carol')
      const spy = await h.registerAgent(bob, 'Spy')
      await fetchInbox(bob)
      await h.as(bob).get(`${space}/events`).expect(200)
      expect(ofBob(await receiptsOf())?.state).toBe('waiting')
      await h.as(bob).put(`${space}/seen`, {}).expect(200)
      expect(ofBob(await receiptsOf())?.state).toBe('seen')
      for (const reader of [bob, carol, scout, spy]) {
        const receipts = await receiptsOf(event_id, 0, reader)
        expect(receipts.map(({ actor_id }: { actor_id: string }) => actor_id)).toEqual([scout.actor_id])
        const path = `${space}/receipts?event_ids=${event_id}`
        expect(await h.as(reader).get(path).expect(200)).toEqual([{ event_id, receipts }])
      }
    })

    it('shows no last_seen_at, time, claim or decline', async () => {
      await silentFor(bob, 3_600)
      const plain = { by_event_id: null, claim: null, done: false, reason: null, last_seen_at: null }
      expect(ofBob(await receiptsOf())).toMatchObject({ ...plain, state: 'waiting' })
      await h.as(bob).post(`${space}/claims`, { event_id }).expect(200)
      await done(bob, event_id, { outcome: 'declined', reason: 'Not mine' })
      expect(ofBob(await receiptsOf())).toEqual({
        ...plain,
        actor_id: bob.actor_id,
        name: 'Bob',
        state: 'seen',
        since: null,
      })
      const reply = await say(bob, { parent_event_id: event_id })
      expect(ofBob(await receiptsOf())).toMatchObject({ state: 'answered', by_event_id: reply })
    })

    it("holds only the poster's long poll until the human answers", async () => {
      await say(scout, { parent_event_id: event_id })
      expect(await receiptsOf(event_id, 50, scout)).toMatchObject([{ actor_id: scout.actor_id, state: 'answered' }])
      const answered = receiptsOf(event_id, 50)
      await done(bob, event_id)
      await say(bob, { parent_event_id: event_id })
      expect(ofBob(await answered)).toMatchObject({ state: 'answered' })
    })
  })

  it('answers the long poll of a reader other than the poster', async () => {
    const bob = await h.registerHuman('Bob')
    const answered = receiptsOf(event_id, 50, bob)
    await say(scout, { parent_event_id: event_id })
    expect(await answered).toMatchObject([{ state: 'answered' }])
  })
})
