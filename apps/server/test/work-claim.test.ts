import { setTimeout as delay } from 'node:timers/promises'
import { type Actor, eventually, query, spaceIdOf } from '@collab-spaces/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { TIMESTAMP } from './support/form.js'
import { useServer } from './support/server.js'

const h = useServer()

let ada: Actor
let scout: Actor
let rival: Actor
let space: string
let event_id: string

interface Claim {
  claim_id: string
  fence: number
}

beforeEach(async () => {
  ada = await h.registerHuman('Ada')
  scout = await h.registerAgent(ada, 'Scout')
  rival = await h.registerAgent(ada, 'Rival')
  space = await h.openSpace(ada)
  const mentions = [scout.actor_id, rival.actor_id]
  event_id = (await h.as(ada).post(`${space}/speech`, { text: 'Who looks?', metadata: { mentions } }).expect(200))
    .event_id
})

const take = (actor: Actor, body: object = { event_id }) => h.as(actor).post(`${space}/claims`, body)
const claimOf = ({ claim_id, fence }: Claim) => ({ claim_id, fence })
const renew = (actor: Actor, { claim_id }: Claim, body: object = {}) =>
  h.as(actor).post(`${space}/claims/${claim_id}/renew`, body)
const release = (actor: Actor, { claim_id }: Claim) => h.as(actor).delete(`${space}/claims/${claim_id}`)
const answer = (actor: Actor, claim: Claim, body: object = {}) =>
  h.as(actor).post(`${space}/response`, { text: 'Done', parent_event_id: event_id, claim: claimOf(claim), ...body })
const countOf = async () => (await h.as(ada).get(`${space}/events`).expect(200)).length
const listed = () => h.as(ada).get(`${space}/claims`).expect(200)

/** Lets a claim expire now, by the clock of the database. */
const lapse = ({ claim_id }: Claim) =>
  query(h.connection, 'UPDATE work_claims SET expires_at = clock_timestamp() WHERE claim_id = $1', [claim_id])

const UNKNOWN = '019b8d48-6588-7d93-894a-3ef600d2c14d'

const LOST = 'The claim is no longer yours: it has lapsed, or was taken or given back since'

describe('POST /api/spaces/{space_id}/claims', () => {
  it('grants an unclaimed event, and lists the claim with its expiry', async () => {
    const claim = await take(scout, { event_id, ttl_s: 60, note: 'Reading the log' }).expect(200)
    expect(claim).toEqual({
      claim_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      space_id: spaceIdOf(space),
      event_id,
      decision_id: null,
      key: null,
      fence: 1,
      holder: scout.actor_id,
      holder_name: 'Scout',
      accepted: true,
      note: 'Reading the log',
      progress: null,
      progress_at: null,
      claimed_at: expect.stringMatching(TIMESTAMP),
      expires_at: expect.stringMatching(TIMESTAMP),
    })
    expect(Date.parse(claim.expires_at) - Date.parse(claim.claimed_at)).toBe(60_000)
    expect(await listed()).toEqual([claim])
  })

  it('returns 409 with the holder and the expiry when another actor has the claim', async () => {
    const { expires_at } = await take(scout).expect(200)
    expect((await take(rival)).expect(409)).toEqual({
      detail: `Scout has claimed this until ${expires_at}`,
      error: 'claimed',
      holder: scout.actor_id,
      holder_name: 'Scout',
      expires_at,
    })
  })

  it('grants claims on decisions and keys, each independently', async () => {
    const proposal = { proposed_by: ada.actor_id, text: 'Go' }
    const { decision_id } = await h.as(ada).post(`${space}/decisions`, proposal).expect(200)
    for (const subject of [{ decision_id }, { key: 'train' }, { key: 'hotel' }, { event_id }]) {
      expect(await take(scout, subject).expect(200)).toMatchObject({ ...subject, fence: 1 })
      await take(rival, subject).expect(409)
    }
  })

  it('returns a fence that grows after a release, an expiry and a new claim of the holder', async () => {
    const first = await take(scout).expect(200)
    await release(scout, first).expect(200)
    const second = await take(rival).expect(200)
    await lapse(second)
    const third = await take(scout).expect(200)
    const again = await take(scout).expect(200)
    expect([first, second, third, again].map(({ fence }) => fence)).toEqual([1, 2, 3, 4])
    await answer(scout, third).expect(409, LOST)
    await answer(scout, again).expect(200)
  })

  it('returns 404 for an unknown subject, and 400 unless exactly one is named', async () => {
    await take(scout, { event_id: '018f0000-0000-7000-8000-000000000000' }).expect(404, 'Event not found')
    await take(scout, { event_id: 'nonsense' }).expect(404, 'Event not found')
    await take(scout, { decision_id: 'nonsense' }).expect(404, 'Decision not found')
    await take(scout, {}).expect(400, 'key: give one of event_id, decision_id, key')
    await take(scout, { event_id, key: 'both' }).expect(400, 'event_id: give one of event_id, decision_id, key')
    for (const ttl_s of [9, 3_601, 1.5, 'long'])
      await take(scout, { event_id, ttl_s }).expect(400, 'ttl_s: must be a whole number from 10 to 3600')
    await take(scout, { key: 'x'.repeat(201) }).expect(400, 'key: must be at most 200 characters, not 201')
    await take(scout, { key: `[redacted] ${event_id}` }).expect(400, 'key: must not begin with [redacted]')
  })

  it('returns 409 in a space that is not active', async () => {
    await h.as(ada).patch(space, { status: 'paused' }).expect(200)
    await take(scout).expect(409, 'Space is not active')
  })

  it('allows an actor 100 claims in a space', async () => {
    const held: Claim[] = []
    for (let n = 0; n < 100; n++) held.push(await take(scout, { key: `task ${n}` }).expect(200))
    await take(scout, { key: 'one more' }).expect(409, 'An actor can have at most 100 claims in a space; release one')
    await take(scout, { key: 'task 7' }).expect(200)
    // Claims that were handed over count once they are accepted.
    for (const { claim_id } of held)
      await h.as(scout).post(`${space}/claims/${claim_id}/hand-over`, { to: rival.actor_id }).expect(200)
    await take(rival, { key: 'one more' }).expect(200)
  })
})

describe('a claim', () => {
  let claim: Claim & { expires_at: string }

  beforeEach(async () => {
    claim = await take(scout).expect(200)
  })

  it('is renewed by its holder only', async () => {
    const renewed = await renew(scout, claim, { ttl_s: 3_600 }).expect(200)
    expect(renewed.fence).toBe(claim.fence)
    expect(Date.parse(renewed.expires_at)).toBeGreaterThan(Date.parse(claim.expires_at))
    await renew(rival, claim).expect(409, LOST)
    await renew(scout, claim, { fence: claim.fence + 1 }).expect(409, LOST)
  })

  it('expires: then it cannot be renewed, and any actor can take it', async () => {
    await lapse(claim)
    expect(await listed()).toEqual([])
    const refusal = await renew(scout, claim)
    expect(refusal.expect(409)).toEqual({ detail: LOST, error: 'claim_lost' })
    await take(rival).expect(200)
  })

  it('is released by its holder only', async () => {
    await release(rival, claim).expect(409, LOST)
    expect(await release(scout, claim).expect(200)).toEqual({ ok: true })
    expect(await listed()).toEqual([])
    await release(scout, claim).expect(409, LOST)
  })

  it('is handed over with a notice to an actor, whose first write accepts it', async () => {
    const path = `${space}/claims/${claim.claim_id}/hand-over`
    await h.as(rival).post(path, { to: rival.actor_id }).expect(409, LOST)
    await h.as(scout).post(path, { to: 'zoe' }).expect(404, 'Actor not found')
    const handed = await h.as(scout).post(path, { to: rival.actor_id }).expect(200)
    expect(handed).toMatchObject({ claim_id: claim.claim_id, fence: 2, holder: rival.actor_id, accepted: false })
    await answer(scout, claim).expect(409, LOST)

    const { notices } = await h.as(rival).get('/api/actors/me/inbox').expect(200)
    const details = { claim_id: claim.claim_id, fence: 2, from: scout.actor_id, expires_at: handed.expires_at }
    expect(notices).toMatchObject([{ kind: 'claim_handed_over', space_id: spaceIdOf(space), details }])

    await answer(rival, handed).expect(200)
    expect(await listed()).toMatchObject([{ holder: rival.actor_id, accepted: true }])
  })

  it('stays with a human whose hand-over fails', async () => {
    const { claim_id } = await take(ada, { key: 'deployment' }).expect(200)
    const path = `${space}/claims/${claim_id}/hand-over`
    await query(h.connection, `ALTER TABLE notices ADD CONSTRAINT none CHECK (kind <> 'claim_handed_over') NOT VALID`)
    await h.as(ada).post(path, { to: rival.actor_id }).expect(500)
    await query(h.connection, 'ALTER TABLE notices DROP CONSTRAINT none')
    expect(await h.as(ada).post(path, { to: rival.actor_id }).expect(200)).toMatchObject({ fence: 2 })
  })

  it('is taken over by an owner of the space', async () => {
    const bob = await h.registerHuman('Bob')
    const path = `${space}/claims/${claim.claim_id}/take-over`
    await h.as(bob).post(path, {}).expect(403, 'Only owners of this space may do this')
    const taken = await h.as(ada).post(path, { ttl_s: 60 }).expect(200)
    expect(taken).toMatchObject({ holder: ada.actor_id, fence: 2 })
    await answer(scout, claim).expect(409, LOST)
    await answer(ada, taken).expect(200)
  })

  it('is shown in the inbox of every recipient', async () => {
    const { items } = await h.as(rival).get('/api/actors/me/inbox').expect(200)
    expect(items).toMatchObject([{ event: { event_id }, claim: { ...claimOf(claim), holder_name: 'Scout' } }])
    await release(scout, claim).expect(200)
    expect((await h.as(rival).get('/api/actors/me/inbox').expect(200)).items).toMatchObject([{ claim: null }])
  })

  it('shows the progress of its holder, without an event', async () => {
    const say = (actor: Actor, text: string) => h.as(actor).put(`${space}/progress`, { claim_id: claim.claim_id, text })
    expect(await say(scout, 'Reading').expect(200)).toEqual({ ok: true })
    expect(await listed()).toMatchObject([{ progress: 'Reading', progress_at: expect.stringMatching(TIMESTAMP) }])
    await say(rival, 'Me too').expect(409, LOST)
    await say(scout, 'x'.repeat(501)).expect(400, 'text: must be at most 500 characters, not 501')
    expect(await countOf()).toBe(1)
  })

  it('stores progress at most once a second, and the last one always', async () => {
    const say = (text: string) => h.as(scout).put(`${space}/progress`, { claim_id: claim.claim_id, text }).expect(200)
    const version = async () =>
      (await query(h.connection, 'SELECT xmin::text, progress FROM work_claims WHERE claim_id = $1', [claim.claim_id]))
        .rows[0]
    const begun = performance.now()
    await say('0')
    const first = await version()
    for (let n = 1; n < 10; n++) await say(String(n))
    const versions = new Set([first?.xmin])
    await eventually(async () => {
      const { xmin, progress } = (await version()) ?? {}
      versions.add(xmin)
      return progress === '9'
    })
    const seconds = Math.floor((performance.now() - begun) / 1_000)
    expect(versions.size).toBeLessThanOrEqual(2 + seconds)
  })
})

describe('reported progress', () => {
  let claim: Claim
  const report = (text: string) => h.as(scout).put(`${space}/progress`, { claim_id: claim.claim_id, text })

  /** Returns the progress when a report that was kept in memory would have been written. */
  async function progressAfter(end: () => Promise<unknown>) {
    claim = await take(scout).expect(200)
    for (const text of ['one', 'two']) await report(text).expect(200)
    await end()
    await delay(1_500)
    return (await listed())[0].progress
  }

  it('is not written after its agent was stopped', async () => {
    expect(await progressAfter(() => h.as(ada).post(`/api/actors/${scout.actor_id}/stop`).expect(200))).toBe('one')
  })

  it('is not written after its agent was removed from the space', async () => {
    await h.as(ada).patch(space, { visibility: 'private' }).expect(200)
    await h.as(ada).post(`${space}/participants`, { actor_id: scout.actor_id }).expect(200)
    const remove = () => h.as(ada).delete(`${space}/participants/${scout.actor_id}`).expect(200)
    expect(await progressAfter(remove)).toBe('one')
  })

  it('is not written when the claim was given back and taken again', async () => {
    const again = async () => {
      await release(scout, claim).expect(200)
      await take(scout).expect(200)
    }
    expect(await progressAfter(again)).toBe(null)
  })

  it('is refused at once when another actor has the claim', async () => {
    claim = await take(scout).expect(200)
    await report('one').expect(200)
    await h.as(ada).post(`${space}/claims/${claim.claim_id}/take-over`, {}).expect(200)
    await report('two').expect(409, LOST)
  })
})

describe('a write with a claim', () => {
  it('is accepted while the claim is held, in each kind of write', async () => {
    const claim = claimOf(await take(scout).expect(200))
    const event = { text: 'Hello', speaker_id: scout.actor_id, speaker_name: 'Scout', speaker_type: 'agent', claim }
    await h.as(scout).post(`${space}/response`, { text: 'Hello', claim }).expect(200)
    await h.as(scout).post(`${space}/speech`, { text: 'Hello', claim }).expect(200)
    await h.as(scout).post(`${space}/events`, event).expect(200)
    await h
      .as(scout)
      .post(`${space}/events/batch`, { events: [event, event] })
      .expect(200)
    expect(await countOf()).toBe(6)
  })

  it('is refused once the claim has expired or has another holder, in each kind of write', async () => {
    const stale = await take(scout).expect(200)
    await lapse(stale)
    const claim = claimOf(stale)
    const event = { text: 'Hello', speaker_id: scout.actor_id, speaker_name: 'Scout', speaker_type: 'agent', claim }
    const unclaimed = { ...event, claim: null }
    const attempts = async () => {
      for (const operation of ['response', 'speech'])
        expect((await h.as(scout).post(`${space}/${operation}`, { text: 'Hello', claim })).expect(409)).toEqual({
          detail: LOST,
          error: 'claim_lost',
        })
      await h.as(scout).post(`${space}/events`, event).expect(409, LOST)
      await h
        .as(scout)
        .post(`${space}/events/batch`, { events: [unclaimed, event] })
        .expect(409, `events.1: ${LOST}`)
    }
    await attempts()
    const fresh = await take(rival).expect(200)
    await attempts()
    await answer(scout, { ...fresh }).expect(409, LOST)
    expect(await countOf()).toBe(1)
  })

  it('is refused with a loop guard, too, and with a malformed claim or one of another space', async () => {
    await h
      .as(ada)
      .put(`${space}/policy`, { loop_guard: { total: 60, per_agent: 15 } })
      .expect(200)
    const claim = await take(scout).expect(200)
    await answer(scout, claim).expect(200)
    await answer(scout, { ...claim, fence: 7 }).expect(409, LOST)
    await answer(scout, { claim_id: 'nonsense', fence: 1 }).expect(409, LOST)
    const other = await h.openSpace(ada)
    await h
      .as(scout)
      .post(`${other}/response`, { text: 'Hello', claim: claimOf(claim) })
      .expect(409, LOST)
    await h.as(scout).post(`${space}/response`, { text: 'Hello', claim: 1 }).expect(400, 'claim: must be a JSON object')
    expect(await countOf()).toBe(2)
  })

  it('returns its first answer when it is repeated after the claim has expired', async () => {
    const claim = await take(scout).expect(200)
    const send = (claim: Claim) =>
      h
        .as(scout)
        .post(`${space}/response`, { text: 'Once', claim: claimOf(claim) }, { headers: { 'Idempotency-Key': 'k' } })
    const written = (await send(claim)).expect(200)
    await lapse(claim)
    expect((await send(claim)).expect(200)).toEqual(written)
    const fresh = await take(scout).expect(200)
    expect((await send(fresh)).expect(200)).toEqual(written)
    expect(await countOf()).toBe(2)
  })

  it('is checked for decisions, too', async () => {
    const propose = (claim: Claim) =>
      h.as(scout).post(`${space}/decisions`, { proposed_by: scout.actor_id, text: 'Go', claim: claimOf(claim) })
    const own = await take(scout).expect(200)
    const { decision_id } = await propose(own).expect(200)
    await lapse(own)
    await propose(own).expect(409, LOST)

    const claim = await take(rival, { decision_id }).expect(200)
    const path = `${space}/decisions/${decision_id}`
    const review = (claim: Claim) => h.as(rival).post(`${path}/reviews`, { verdict: 'approve', claim: claimOf(claim) })
    const resolve = (claim: Claim) =>
      h.as(rival).put(`${path}/resolve`, {
        resolved_by: rival.actor_id,
        resolution: 'Yes',
        status: 'resolved',
        claim: claimOf(claim),
      })
    const stale = { ...claim, fence: 9 }
    await review(stale).expect(409, LOST)
    await resolve(stale).expect(409, LOST)
    const settle = (settle: object) => h.as(ada).put(`${space}/policy`, { settle }).expect(200)
    await settle({ who: 'named', named: [ada.actor_id] })
    await resolve(stale).expect(403)
    await settle({ who: 'anyone' })
    expect(await h.as(ada).get(path).expect(200)).toMatchObject({ status: 'proposed', approvals: { by: [] } })
    await review(claim).expect(200)
    await resolve(claim).expect(200)
    expect(await h.as(ada).get(`${space}/decisions`).expect(200)).toHaveLength(1)
  })

  describe('a claim on an item that is marked as done', () => {
    const done = (through: object[], more: object = {}) =>
      h.as(scout).post('/api/actors/me/inbox/done', { through, ...more })
    const place = (id: string) => ({ space_id: spaceIdOf(space), event_id: id })
    const next = async () => (await h.as(ada).post(`${space}/speech`, { text: 'And?' }).expect(200)).event_id

    it('ends at once', async () => {
      await take(scout, { event_id, note: 'Reading' }).expect(200)
      await done([place(event_id)]).expect(200)
      expect(await listed()).toEqual([])
      await take(rival).expect(200)
      await done([place(event_id)]).expect(200)
      expect(await listed()).toMatchObject([{ holder: rival.actor_id }])
    })

    it('ends if it is sent with a later event', async () => {
      const claim = await take(scout).expect(200)
      const later = await next()
      await done([place(later)], { claim: claimOf(claim) }).expect(200)
      expect(await listed()).toEqual([])
      await done([place(later)], { claim: claimOf(claim) }).expect(200)
    })

    it('stays on other subjects, and when nothing is marked', async () => {
      const later = await take(scout, { event_id: await next() }).expect(200)
      const key = await take(scout, { key: 'deploy' }).expect(200)
      const claim = await take(scout).expect(200)
      await done([place(event_id), place(UNKNOWN)], { claim: claimOf(claim) }).expect(404)
      await done([place(event_id)], { claim: { ...claimOf(claim), fence: 9 } }).expect(409, LOST)
      expect(await listed()).toHaveLength(3)
      await done([place(event_id)], { claim: claimOf(key) }).expect(200)
      const left: Claim[] = await listed()
      expect(new Set(left.map(({ claim_id }) => claim_id))).toEqual(new Set([later.claim_id, key.claim_id]))
    })
  })

  it('is checked when items are marked as done, and done items stay so', async () => {
    const claim = await take(scout).expect(200)
    const done = (claim: Claim) =>
      h.as(scout).post('/api/actors/me/inbox/done', {
        through: [{ space_id: spaceIdOf(space), event_id }],
        claim: claimOf(claim),
      })
    await done({ ...claim, fence: 2 }).expect(409, LOST)
    expect((await h.as(scout).get('/api/actors/me/inbox').expect(200)).items).toHaveLength(1)
    await done(claim).expect(200)
    expect((await h.as(scout).get('/api/actors/me/inbox').expect(200)).items).toEqual([])
    await lapse(claim)
    await done(claim).expect(200)
  })
})
