import { DEFAULT_TENANT } from '@collab-spaces/domain'
import { checkDatabase, deleteSpace } from '@collab-spaces/operator'
import { type Actor, type Client, query, spaceIdOf } from '@collab-spaces/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { useServer } from './support/server.js'

const h = useServer()

let ada: Actor
let bob: Actor
let cy: Actor
let path: string
let decision: string
let decision_id: string

/** Ada proposes, and Bob is the assignee. Cy is a participant. */
beforeEach(async () => {
  ;[ada, bob, cy] = await Promise.all([h.registerHuman('Ada'), h.registerHuman('Bob'), h.registerHuman('Cy')])
  path = await h.openSpace(ada)
  for (const actor of [ada, bob, cy]) await h.as(actor).post(`${path}/join`).expect(200)
  const proposal = { proposed_by: 'Ada', text: 'Go to the sea', assignees: [bob.actor_id] }
  decision_id = (await h.as(ada).post(`${path}/decisions`, proposal).expect(200)).decision_id
  decision = `${path}/decisions/${decision_id}`
})

const start = (api: Client, fields: object = {}) =>
  api.post(`${path}/threads`, { decision_id, subject: 'Go to the sea', ...fields })
const say = (actor: Actor, thread_id: string, text: string) =>
  h.as(actor).post(`${path}/speech`, { text, thread_id }).expect(200)
const inboxOf = async (actor: Actor) => {
  const { items } = await h.as(actor).get('/api/actors/me/inbox').expect(200)
  return items.map(({ event, kinds }: { event: { text: string }; kinds: string[] }) => [event.text, kinds])
}

describe('the discussion of a decision', () => {
  it('is a thread with the ID of the decision, which has the ID of the thread', async () => {
    expect(await h.as(ada).get(decision).expect(200)).toMatchObject({ thread_id: null })
    const thread = await start(h.as(cy)).expect(200)
    expect(thread).toMatchObject({ decision_id, parent_event_id: null, subject: 'Go to the sea' })
    const { thread_id } = thread
    const event = await say(cy, thread_id, 'Why the sea?')
    expect(event).toMatchObject({ thread_id, parent_event_id: null })

    const listed = (await h.as(ada).get(`${path}/decisions`).expect(200))[0]
    const all = (await h.as(ada).get('/api/decisions').expect(200))[0]
    for (const shown of [await h.as(ada).get(decision).expect(200), listed, all])
      expect(shown).toMatchObject({ decision_id, thread_id })
    for (const id of [decision_id, thread_id]) {
      expect(await h.as(ada).get(`${path}/threads/${id}`).expect(200)).toEqual({ thread, events: [event] })
      const found = await h.as(ada).get(`${path}/threads?event_id=${id}`).expect(200)
      expect(found).toMatchObject([{ ...thread, event_count: 1, last_event: { event_id: event.event_id } }])
    }
    expect(await h.as(ada).get(`${path}/events`).expect(200)).toEqual([event])
  })

  it('stays open when the decision is approved and settled', async () => {
    const { thread_id } = await start(h.as(cy)).expect(200)
    const review = await h.as(cy).post(`${decision}/reviews`, { verdict: 'approve' }).expect(200)
    const outcome = { resolved_by: 'Bob', resolution: 'Yes', status: 'resolved' }
    const settled = await h.as(bob).put(`${decision}/resolve`, outcome).expect(200)
    for (const answer of [review, settled]) expect(answer).toMatchObject({ thread_id })
    await say(cy, thread_id, 'Good')
  })

  it('is a single thread when several actors start it at once', async () => {
    const started = await Promise.all([ada, bob, cy, ada].map((actor) => start(h.as(actor)).expect(200)))
    expect(new Set(started.map(({ thread_id }) => thread_id)).size).toBe(1)
    expect(await start(h.as(bob), { subject: 'Another' }).expect(200)).toEqual(started[0])
  })

  it('addresses the proposer, the assignees and those who have written in it, and no other participant', async () => {
    const dee = await h.registerHuman('Dee')
    await h.as(dee).post(`${path}/join`).expect(200)
    const { thread_id } = await start(h.as(cy)).expect(200)
    const question = await say(cy, thread_id, 'Why the sea?')
    for (const actor of [ada, bob]) expect(await inboxOf(actor)).toEqual([['Why the sea?', ['thread']]])
    expect(await inboxOf(cy)).toEqual([])
    await say(ada, thread_id, 'It is warm')
    expect(await inboxOf(cy)).toEqual([['It is warm', ['thread']]])
    expect(await inboxOf(dee)).toEqual([])
    const receipts = await h.as(cy).get(`${path}/events/${question.event_id}/receipts`).expect(200)
    const recipients = receipts.map(({ actor_id }: Actor) => actor_id).toSorted()
    expect(recipients).toEqual([ada.actor_id, bob.actor_id].toSorted())
  })

  it('starts with the first event about the decision, unless that event is rejected', async () => {
    const speak = (actor: Actor, fields: object = {}) =>
      h.as(actor).post(`${path}/speech`, { text: 'Why the sea?', decision_id, ...fields })
    const threads = () => h.as(ada).get(`${path}/threads`).expect(200)
    const { event_id } = await h.as(cy).post(`${path}/speech`, { text: 'Hello' }).expect(200)
    const claim = { claim_id: event_id, fence: 1 }
    await speak(cy, { claim }).expect(409, /^The claim is no longer yours/)
    await speak(cy, { file_ids: ['fil_none'] }).expect(404, 'File not found')
    for (const place of ['thread_id', 'parent_event_id', 'corrects', 'retracts'])
      await speak(cy, { [place]: event_id }).expect(400, `decision_id: cannot be combined with ${place}`)
    for (const unknown of ['nothing', event_id])
      await speak(cy, { decision_id: unknown }).expect(404, 'Decision not found')
    const elsewhere = await h.openSpace(ada)
    await h.as(ada).post(`${elsewhere}/speech`, { text: 'x', decision_id }).expect(404, 'Decision not found')
    await h.as(ada).post('/api/spaces/nowhere/speech', { text: 'x', decision_id }).expect(404, 'Space not found')
    expect(await threads()).toEqual([])

    const events = await Promise.all([cy, bob, ada, cy, bob].map((actor) => speak(actor).expect(200)))
    const [{ thread_id }] = events
    expect(events.map((event) => event.thread_id)).toEqual(events.map(() => thread_id))
    expect(await threads()).toMatchObject([{ thread_id, decision_id, subject: 'Go to the sea', event_count: 5 }])
    expect(await h.as(ada).get(decision).expect(200)).toMatchObject({ thread_id })
    expect(await start(h.as(bob)).expect(200)).toMatchObject({ thread_id })
  })

  it('addresses the proposer and the assignees once when its first event is retried', async () => {
    const once = { headers: { 'idempotency-key': 'first' } }
    const speak = () => h.as(cy).post(`${path}/response`, { text: 'Why the sea?', decision_id }, once).expect(200)
    const event = await speak()
    await h.as(ada).patch(path, { status: 'paused' }).expect(200)
    expect(await speak()).toEqual(event)
    for (const actor of [ada, bob]) expect(await inboxOf(actor)).toEqual([['Why the sea?', ['thread']]])
  })

  it('is rejected for another subject, an unknown decision, a missing scope or a paused space', async () => {
    const { event_id } = await h.as(ada).post(`${path}/speech`, { text: 'Hello' }).expect(200)
    await start(h.as(ada), { parent_event_id: event_id }).expect(
      400,
      'decision_id: cannot be combined with parent_event_id',
    )
    await start(h.as(ada), { decision_id: undefined }).expect(400, 'parent_event_id: is required')
    for (const unknown of ['last', event_id])
      await start(h.as(ada), { decision_id: unknown }).expect(404, 'Decision not found')
    const elsewhere = await h.openSpace(ada)
    await h.as(ada).post(`${elsewhere}/threads`, { decision_id, subject: 'x' }).expect(404, 'Decision not found')
    const scopes = { name: 'Reader', scopes: ['read'] }
    const { token } = await h.as(ada).post('/api/personal-access-tokens', scopes).expect(200)
    await start(h.as({ api_key: token } as Actor)).expect(403)
    await h.as(ada).patch(path, { status: 'paused' }).expect(200)
    await start(h.as(ada)).expect(409, 'Space is not active')
  })

  it('is hidden from actors outside a private space', async () => {
    const own = await h
      .as(ada)
      .post('/api/spaces', { space_id: `own-${decision_id}`, visibility: 'private' })
      .expect(200)
    const place = `/api/spaces/${own.space_id}`
    const secret = await h.as(ada).post(`${place}/decisions`, { proposed_by: 'Ada', text: 'Hush' }).expect(200)
    const about = { decision_id: secret.decision_id, subject: 'Hush' }
    const { thread_id } = await h.as(ada).post(`${place}/threads`, about).expect(200)
    await h.as(bob).post(`${place}/threads`, about).expect(404, 'Space not found')
    for (const id of [thread_id, secret.decision_id]) await h.as(bob).get(`${place}/threads/${id}`).expect(404)
  })

  it('is deleted with its space', async () => {
    const { thread_id } = await start(h.as(cy)).expect(200)
    await say(cy, thread_id, 'Why the sea?')
    const count = async () =>
      (await query(h.connection, 'SELECT FROM threads WHERE space_id = $1', [spaceIdOf(path)])).rowCount
    const problems: unknown[] = []
    const { signal } = new AbortController()
    await checkDatabase(
      h.connection,
      null,
      (problem) => problems.push(problem),
      () => {},
      signal,
    )
    expect([await count(), problems]).toEqual([1, []])
    const request = { tenantId: DEFAULT_TENANT, spaceId: spaceIdOf(path), requestedBy: 'Ada', reason: null }
    await deleteSpace(h.connection, request, () => {}, signal)
    expect(await count()).toBe(0)
  })
})
