import { LIMITS } from '@collab-spaces/domain'
import { type Actor, query, spaceIdOf } from '@collab-spaces/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { useServer } from './support/server.js'
import { MessageReader } from './support/stream.js'

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
const markDone = (event_id: string) =>
  h
    .as(ada)
    .post(`${INBOX}/done`, { through: [{ space_id: spaceIdOf(path), event_id }] })
    .expect(200)
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
      expect(await inbox()).toMatchObject({ next_snooze_at: null })
    }
  })

  it('stays when a later item is done, and comes back at its time', async () => {
    await mention('first')
    const [second, third] = [await mention('second'), await mention('third')]
    await snooze(second.event_id, TOMORROW).expect(200)
    await markDone(third.event_id)
    await mention('fourth')
    expect(await texts()).toEqual(['second', 'fourth'])
    await snooze(second.event_id, TOMORROW).expect(200)
    expect(await texts()).toEqual(['fourth'])
    const { done } = await inbox()
    await h.as(ada).post(`${INBOX}/done`, done).expect(200)
    expect(await inbox()).toMatchObject({ items: [], counts: { unread: 0 }, next_snooze_at: TOMORROW })
    expect(await h.as(ada).get(`${INBOX}?snoozed=true`).expect(200)).toMatchObject({
      items: [{ event: { text: 'second' } }],
    })
    await query(h.connection, `UPDATE snoozes SET until = now() WHERE until IS NOT NULL`)
    expect(await texts()).toEqual(['second'])
    await markDone(second.event_id)
    expect(await texts()).toEqual([])
  })

  it('is gone once it is done itself, also when others stay', async () => {
    const [first, second] = [await mention('first'), await mention('second')]
    await mention('third')
    await snooze(first.event_id, TOMORROW).expect(200)
    await snooze(second.event_id, '2099-01-01').expect(200)
    await markDone(second.event_id)
    expect(await inbox()).toMatchObject({ counts: { unread: 1 }, next_snooze_at: TOMORROW })
    await markDone(first.event_id)
    expect(await texts()).toEqual(['third'])
    expect(await inbox()).toMatchObject({ next_snooze_at: null })
    expect(await h.as(ada).get(`${INBOX}?snoozed=true`).expect(200)).toMatchObject({ items: [] })
  })

  it('comes back at once for a time that has passed, and is gone once it is done', async () => {
    const { event_id } = await mention('first')
    await snooze(event_id, TOMORROW).expect(200)
    await snooze(event_id, '2020-01-01').expect(200)
    expect(await texts()).toEqual(['first'])
    await snooze(event_id, TOMORROW).expect(200)
    await markDone(event_id)
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
  const snoozed = (parameters = '') => h.as(ada).get(`${INBOX}?snoozed=true${parameters}`).expect(200)

  it('is listed with its time until it is over, and marks nothing that is not listed', async () => {
    const first = await mention('first')
    const second = await mention('second')
    await mention('third')
    await snooze(second.event_id, TOMORROW).expect(200)
    const proposal = { proposed_by: bob.actor_id, text: 'Sail', assignees: [ada.actor_id] }
    const { decision_id } = await h.as(bob).post(`${path}/decisions`, proposal).expect(200)
    const decisions = [{ space_id: spaceIdOf(path), decision_id }]
    await h.as(ada).post(`${INBOX}/snooze`, { decisions }).expect(200)
    // An answered item is hidden, too, but not snoozed.
    await h.as(ada).post(`${path}/speech`, { text: 'Yes', parent_event_id: first.event_id }).expect(200)
    const { notices, snoozed_until, ...rest } = await snoozed()
    expect(rest).toMatchObject({
      items: [{ event: { text: 'second' } }],
      decisions: [{ decision_id }],
      counts: { unread: 1, decisions: 1, notices: 1 },
      done: { through: [], notices: [notices[0].notice_id] },
      next_snooze_at: TOMORROW,
    })
    expect(snoozed_until).toEqual({ [second.event_id]: TOMORROW, [decision_id]: null, [notices[0].notice_id]: null })
    expect(await inbox()).not.toHaveProperty('snoozed_until')
    expect(await texts()).toEqual(['third'])
    await snooze(second.event_id, '2020-01-01').expect(200)
    await h.as(ada).post(`${INBOX}/snooze`, { decisions, until: '2020-01-01' }).expect(200)
    expect(await snoozed()).toMatchObject({ items: [], decisions: [], notices: [], snoozed_until: {} })
    await h.as(ada).get(`${INBOX}?snoozed=true&wait=1`).expect(400, 'wait: cannot be given together with snoozed')
  })

  it('is not listed, nor seen, where its owner reads nothing: a space it was removed from', async () => {
    const space_id = `hidden-${bob.actor_id}`
    await h.as(bob).post('/api/spaces', { space_id, visibility: 'private' }).expect(200)
    await h.as(bob).post(`/api/spaces/${space_id}/participants`, { actor_id: ada.actor_id }).expect(200)
    const [{ notice_id }] = (await h.as(ada).get(`${INBOX}?peek=true`).expect(200)).notices
    const said = { text: 'hidden', metadata: { mentions: [ada.actor_id] } }
    const { event_id } = await h.as(bob).post(`/api/spaces/${space_id}/speech`, said).expect(200)
    const hidden = { items: [{ space_id, event_id }], notices: [notice_id] }
    await h.as(ada).post(`${INBOX}/snooze`, hidden).expect(200)
    const named = await snoozed(`&space_id=${space_id}`)
    expect(named).toMatchObject({ items: [{ event: { text: 'hidden' } }], notices: [{ notice_id }] })
    const receipts = await h.as(bob).get(`/api/spaces/${space_id}/events/${event_id}/receipts`).expect(200)
    expect(receipts).toMatchObject([{ actor_id: ada.actor_id, state: 'waiting' }])
    await h.as(bob).delete(`/api/spaces/${space_id}/participants/${ada.actor_id}`).expect(200)
    expect(await snoozed()).toMatchObject({ items: [], notices: [], snoozed_until: {} })
  })

  it('does not tell that there is a private space, nor what is in it', async () => {
    const space_id = `hidden-${bob.actor_id}`
    await h.as(bob).post('/api/spaces', { space_id, visibility: 'private' }).expect(200)
    const { event_id } = await h.as(bob).post(`/api/spaces/${space_id}/speech`, { text: 'hidden' }).expect(200)
    const ask = (of: string) => h.as(ada).post(`${INBOX}/snooze`, { items: [{ space_id: of, event_id }] })
    await ask(space_id).expect(404, 'Space not found')
    await ask('no-such-space').expect(404, 'Space not found')
    await ask(spaceIdOf(path)).expect(404, 'Item not found')
    const decision = { proposed_by: bob.actor_id, text: 'hidden', assignees: [bob.actor_id] }
    const { decision_id } = await h.as(bob).post(`/api/spaces/${space_id}/decisions`, decision).expect(200)
    for (const of of [space_id, 'no-such-space']) {
      const decisions = [{ space_id: of, decision_id }]
      await h.as(ada).post(`${INBOX}/snooze`, { decisions }).expect(404, 'Decision not found')
    }
  })
})

describe('A decision that waits', () => {
  const waiting = async (who: Actor = ada) => {
    const { decisions, notices } = await h.as(who).get(INBOX).expect(200)
    return [decisions.length, notices.length]
  }
  const propose = () =>
    h
      .as(bob)
      .post(`${path}/decisions`, { proposed_by: bob.actor_id, text: 'Sail', assignees: [ada.actor_id] })
      .expect(200)
  const hide = ({ decision_id }: { decision_id: string }, until?: string) =>
    h.as(ada).post(`${INBOX}/snooze`, { decisions: [{ space_id: spaceIdOf(path), decision_id }], until })

  it('is hidden with its notice until a time', async () => {
    const decision = await propose()
    expect(await waiting()).toEqual([1, 1])
    await hide(decision, TOMORROW).expect(200)
    expect(await waiting()).toEqual([0, 0])
    expect(await inbox()).toMatchObject({ counts: { decisions: 0, notices: 0 }, next_snooze_at: TOMORROW })
    await query(h.connection, `UPDATE notices SET snoozed_until = now() WHERE actor_id = $1`, [ada.actor_id])
    expect(await inbox()).toMatchObject({ counts: { decisions: 1, notices: 1 }, next_snooze_at: null })
    expect((await inbox()).notices).toMatchObject([{ kind: 'decision_assigned', earlier: 0 }])
  })

  it('comes back for a time that has passed, also if its notice was dismissed', async () => {
    const decision = await propose()
    const { notices } = (await inbox()).done
    await h.as(ada).post(`${INBOX}/done`, { notices }).expect(200)
    await hide(decision).expect(200)
    expect(await waiting()).toEqual([0, 0])
    expect(await inbox()).toMatchObject({ next_snooze_at: null })
    await hide(decision, '2020-01-01').expect(200)
    expect(await waiting()).toEqual([1, 1])
  })

  it('comes back with a review of another actor, not with an own one', async () => {
    await h.as(ada).put(`${path}/policy`, { approvals: 2 }).expect(200)
    const decision = await propose()
    const review = (who: Actor) =>
      h.as(who).post(`${path}/decisions/${decision.decision_id}/reviews`, { verdict: 'approve' }).expect(200)
    await hide(decision, TOMORROW).expect(200)
    await review(ada)
    expect(await waiting()).toEqual([0, 0])
    const cleo = await h.registerHuman('Cleo')
    await h.as(cleo).post(`${path}/join`).expect(200)
    await review(cleo)
    expect(await waiting()).toEqual([1, 1])
  })

  it('is told of to open streams when a review brings it back', async () => {
    const decision = await propose()
    await hide(decision, TOMORROW).expect(200)
    const stream = await MessageReader.openAt(h.as(ada), '/api/actors/me/stream')
    await stream.until(({ comments }) => comments.length > 0)
    await h.as(bob).post(`${path}/decisions/${decision.decision_id}/reviews`, { verdict: 'approve' }).expect(200)
    await stream.until((reader) => reader.named('inbox').length > 0)
    await stream.close()
    expect(await waiting()).toEqual([1, 1])
  })

  it('stays hidden beside more notices than an inbox has, up to a limit', async () => {
    const proposed: string[] = []
    for (let n = 0; n < LIMITS.notices + 2; n++) proposed.push((await propose()).decision_id)
    const decisions = proposed.map((decision_id) => ({ space_id: spaceIdOf(path), decision_id }))
    const some = (from: number, to: number) =>
      h.as(ada).post(`${INBOX}/snooze`, { decisions: decisions.slice(from, to), until: TOMORROW })
    await some(0, LIMITS.notices).expect(200)
    expect(await waiting()).toEqual([2, 2])
    await some(LIMITS.notices, LIMITS.notices + 1).expect(409, /^At most 100 decisions/)
    for (let n = 0; n < LIMITS.notices; n++) await propose()
    const hidden = new Set(proposed.slice(0, LIMITS.notices))
    const shown = (await inbox()).decisions.map(({ decision_id }: { decision_id: string }) => decision_id)
    expect(shown.filter((id: string) => hidden.has(id))).toEqual([])
    expect((await inbox()).notices).toHaveLength(LIMITS.notices)
  })

  it('can be named twice', async () => {
    const { decision_id } = await propose()
    const decisions = [decision_id, decision_id.toUpperCase()].map((id) => ({
      space_id: spaceIdOf(path),
      decision_id: id,
    }))
    await h.as(ada).post(`${INBOX}/snooze`, { decisions }).expect(200)
    expect(await waiting()).toEqual([0, 0])
  })

  it('is gone once it is settled', async () => {
    const decision = await propose()
    await hide(decision, TOMORROW).expect(200)
    const settle = { status: 'resolved', resolved_by: ada.actor_id, resolution: 'Yes' }
    await h.as(ada).put(`${path}/decisions/${decision.decision_id}/resolve`, settle).expect(200)
    expect(await inbox()).toMatchObject({ counts: { decisions: 0, notices: 0 }, next_snooze_at: null })
    await hide(decision, TOMORROW).expect(404, 'Decision not found')
  })

  it('must wait for the caller, or nothing is hidden', async () => {
    const { event_id } = await mention('first')
    const { decision_id } = await h
      .as(bob)
      .post(`${path}/decisions`, { proposed_by: bob.actor_id, text: 'Sail', assignees: [bob.actor_id] })
      .expect(200)
    const space_id = spaceIdOf(path)
    for (const named of [
      { decisions: [{ space_id, decision_id }] },
      { decisions: [{ space_id, decision_id: 'nothing' }] },
      { notices: ['nothing'] },
    ]) {
      await h
        .as(ada)
        .post(`${INBOX}/snooze`, { items: [{ space_id, event_id }], until: TOMORROW, ...named })
        .expect(404, /^(Decision|Notice) not found$/)
    }
    expect(await texts()).toEqual(['first'])
    await h
      .as(ada)
      .post(`${INBOX}/snooze`, { until: TOMORROW })
      .expect(400, /^items: /)
  })
})

describe('A snoozed notice', () => {
  const notices = async () => (await inbox()).notices
  const hide = (notice_id: string, until?: string, client = h.as(ada)) =>
    client.post(`${INBOX}/snooze`, { notices: [notice_id], until })
  const add = async () => {
    const space_id = `private-${bob.actor_id}`
    await h.as(bob).post('/api/spaces', { space_id, visibility: 'private' }).expect(200)
    await h.as(bob).post(`/api/spaces/${space_id}/participants`, { actor_id: ada.actor_id }).expect(200)
    const [notice] = await notices()
    return notice
  }

  it('comes back at its time, and at once for one that has passed', async () => {
    const { notice_id } = await add()
    await hide(notice_id, TOMORROW).expect(200)
    expect(await notices()).toEqual([])
    expect(await inbox()).toMatchObject({ next_snooze_at: TOMORROW, done: { notices: [] } })
    await hide(notice_id, '2020-01-01').expect(200)
    expect(await notices()).toMatchObject([{ notice_id }])
    await hide(notice_id).expect(200)
    expect(await notices()).toEqual([])
    await query(h.connection, `UPDATE notices SET snoozed_until = now() WHERE actor_id = $1`, [ada.actor_id])
    expect(await notices()).toMatchObject([{ notice_id }])
  })

  it('is one that the credential may dismiss', async () => {
    const agent = await h.registerAgent(ada)
    const { token } = await h
      .as(ada)
      .post('/api/personal-access-tokens', { name: 'writer', scopes: ['read', 'write'] })
      .expect(200)
    await query(
      h.connection,
      `INSERT INTO notices (tenant_id, actor_id, kind, subject, source_id, details)
       SELECT tenant_id, actor_id, 'agent_stopped', $2, actor_id, '{}' FROM actors WHERE actor_id = $1`,
      [ada.actor_id, agent.actor_id],
    )
    const [{ notice_id }] = await notices()
    await hide(notice_id, TOMORROW, h.as(token)).expect(403)
    expect(await notices()).toHaveLength(1)
    await hide(notice_id, TOMORROW).expect(200)
    expect(await notices()).toEqual([])
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

  it('leaves with a reply in a batch, unless the reply is imported', async () => {
    const { event_id: parent_event_id } = await mention('first')
    const reply = { speaker_id: ada.actor_id, speaker_name: 'Ada', text: 'Yes', parent_event_id }
    const post = (fields: object) => h.as(ada).post(`${path}/events/batch`, { events: [{ ...reply, ...fields }] })
    await post({ occurred_at: '2020-01-01' }).expect(200)
    expect(await texts()).toEqual(['first'])
    await post({}).expect(200)
    expect(await texts()).toEqual([])
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
    const one = await say(bob, 'one')
    const two = await say(bob, 'two')
    const items = [{ space_id, event_id: one.event_id }]
    await h.as(ada).post(`${INBOX}/snooze`, { items, until: TOMORROW }).expect(200)
    await say(ada, 'both')
    await say(bob, 'three')
    expect(await texts()).toEqual(['elsewhere', 'three'])
    const receipts = await h.as(bob).get(`/api/spaces/${space_id}/events/${two.event_id}/receipts`).expect(200)
    expect(receipts).toMatchObject([{ actor_id: ada.actor_id, state: 'answered' }])
    expect(await inbox()).toMatchObject({ next_snooze_at: null })
  })
})
