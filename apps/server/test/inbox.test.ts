import { LIMITS } from '@collab-spaces/domain'
import { type Actor, type Client, NOTHING, query, spaceIdOf } from '@collab-spaces/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { TIMESTAMP } from './support/form.js'
import { fillSpace } from './support/history.js'
import { useServer } from './support/server.js'

const h = useServer()

let ada: Actor
let scout: Actor
let space: string

beforeEach(async () => {
  ada = await h.registerHuman()
  scout = await h.registerAgent(ada)
  space = await h.openSpace(ada)
})

interface Item {
  space_id: string
  event: { event_id: string; text: string }
  kinds: string[]
  from_human: boolean
}

const INBOX = '/api/actors/me/inbox'
const inboxOf = (actor: Actor, query = '') =>
  h
    .as(actor)
    .get(INBOX + query)
    .expect(200)
const itemsOf = async (actor: Actor, query = ''): Promise<Item[]> => (await inboxOf(actor, query)).items
const textsOf = async (actor: Actor, query = '') => (await itemsOf(actor, query)).map(({ event }) => event.text)

/** Says something, and returns the event. */
const say = (actor: Actor, text: string, fields: object = {}, path = space) =>
  h
    .as(actor)
    .post(`${path}/speech`, { text, ...fields })
    .expect(200)
const mention = (actor: Actor, text: string, mentioned = scout, path = space) =>
  say(actor, text, { metadata: { mentions: [mentioned.actor_id] } }, path)
const markDone = (actor: Actor, ...items: readonly Pick<Item, 'space_id' | 'event'>[]) =>
  h.as(actor).post(`${INBOX}/done`, {
    through: items.map(({ space_id, event }) => ({ space_id, event_id: event.event_id })),
  })

describe('GET /api/actors/me/inbox', () => {
  it('has nothing of what was said while its owner was in another tenant', async () => {
    const bob = await h.registerHuman('Bob')
    const { tenant_id } = await h.as(bob).post('/api/tenants', { name: 'Elsewhere' }).expect(200)
    await say(ada, 'while you were away', { metadata: { mentions: [bob.actor_id] } })
    await h.as(bob).post(`/api/tenants/${tenant_id}/leave`).expect(200)
    await say(ada, 'welcome back', { metadata: { mentions: [bob.actor_id] } })
    expect(await textsOf(bob)).toEqual(['welcome back'])
  })

  it('is empty when nothing addresses the caller', async () => {
    await say(ada, 'to no one')
    expect(await inboxOf(scout)).toEqual({
      counts: { unread: 0, decisions: 0, notices: 0 },
      items: [],
      decisions: [],
      notices: [],
      more: false,
      done: { through: [], notices: [] },
      next_snooze_at: null,
      stopped: null,
    })
  })

  it('has the events that mention the caller, as they are stored, in spaces that it has not joined too', async () => {
    const event = await mention(ada, 'Scout, please')
    expect(await inboxOf(scout)).toMatchObject({
      counts: { unread: 1 },
      items: [{ space_id: spaceIdOf(space), event, kinds: ['mention'], from_human: true }],
    })
    expect(await itemsOf(ada)).toEqual([])
  })

  it('has the replies to what the caller posted, the actor that is said to have spoken', async () => {
    const { event_id } = await say(ada, 'a question', { speaker_id: 'zoe' })
    await h.as(scout).post(`${space}/response`, { text: 'an answer', parent_event_id: event_id }).expect(200)
    expect(await itemsOf(ada)).toMatchObject([{ event: { text: 'an answer' }, kinds: ['reply'], from_human: false }])
  })

  it('has what is said in threads that the caller takes part in', async () => {
    const bob = await h.registerHuman('Bob')
    const eve = await h.registerHuman('Eve')
    const { event_id } = await say(ada, 'the event that the thread starts on')
    const { thread_id } = await h
      .as(bob)
      .post(`${space}/threads`, { parent_event_id: event_id, subject: 'Plans' })
      .expect(200)
    await say(scout, 'first', { thread_id })
    await say(eve, 'second', { thread_id })
    expect(await textsOf(ada)).toEqual(['first', 'second'])
    await say(ada, 'third', { thread_id })
    // She has answered.
    expect(await textsOf(ada)).toEqual([])
    expect(await textsOf(bob)).toEqual(['first', 'second', 'third'])
    expect(await textsOf(scout)).toEqual(['second', 'third'])
    expect(await textsOf(eve)).toEqual(['third'])
    expect((await itemsOf(bob)).map(({ kinds }) => kinds)).toEqual([['thread'], ['thread'], ['thread']])
  })

  it('has an event once, with all reasons', async () => {
    const { event_id } = await say(scout, 'anchor')
    const { thread_id } = await h
      .as(ada)
      .post(`${space}/threads`, { parent_event_id: event_id, subject: 'Plans' })
      .expect(200)
    await say(ada, 'all', { thread_id, parent_event_id: event_id, metadata: { mentions: [scout.actor_id] } })
    expect(await itemsOf(scout)).toMatchObject([{ kinds: ['mention', 'reply', 'thread'] }])
    expect((await inboxOf(scout)).counts.unread).toBe(1)
  })

  it('has nothing that the caller posted, whatever it says', async () => {
    const { event_id } = await say(scout, 'mine')
    await say(scout, 'mine, too', { parent_event_id: event_id, metadata: { mentions: [scout.actor_id] } })
    expect(await itemsOf(scout)).toEqual([])
  })

  it('is not for those that no actor knows, or who are in another tenant', async () => {
    const stranger = await h.registerHuman('Mallory')
    await h.as(stranger).post('/api/tenants', { name: 'Elsewhere' }).expect(200)
    await say(ada, 'hello', { metadata: { mentions: [stranger.actor_id, 'zoe', scout.actor_id] } })
    expect(await itemsOf(stranger)).toEqual([])
    expect(await textsOf(scout)).toEqual(['hello'])
  })

  it('begins with the space that has waited longest, and is in the order of the history within each', async () => {
    const other = await h.openSpace(ada)
    await mention(ada, 'one')
    await mention(ada, 'two', scout, other)
    await mention(ada, 'three')
    expect(await textsOf(scout)).toEqual(['one', 'three', 'two'])
    const [one] = await itemsOf(scout)
    await markDone(scout, one as Item).expect(200)
    expect(await textsOf(scout)).toEqual(['two', 'three'])
  })

  it('has a page of many, tells that there are more, and counts a thousand', async () => {
    const batch = (texts: string[]) =>
      h.as(ada).post(`${space}/events/batch`, {
        events: texts.map((text) => ({
          speaker_id: ada.actor_id,
          speaker_name: 'Ada',
          text,
          metadata: { mentions: [scout.actor_id] },
        })),
      })
    for (let n = 0; n < 1_100; n += 100) {
      await batch(Array.from({ length: 100 }, (_, i) => `${n + i}`)).expect(200)
    }
    const page = await inboxOf(scout, '?limit=100')
    expect(page).toMatchObject({ counts: { unread: 1_000 }, more: true })
    expect(page.items.map(({ event }: Item) => event.text)).toEqual(Array.from({ length: 100 }, (_, i) => `${i}`))
    await markDone(scout, page.items.at(-1)).expect(200)
    expect(await textsOf(scout, '?limit=2')).toEqual(['100', '101'])
    const others = await inboxOf(scout)
    expect(others.items).toHaveLength(50)
  })

  it('is gone through page by page, each event once, when there are more than are counted', async () => {
    const count = 1_200
    const spaces = [space, await h.openSpace(ada), await h.openSpace(ada)]
    const speaker = { speaker_id: ada.actor_id, speaker_name: 'Ada', metadata: { mentions: [scout.actor_id] } }
    for (let n = 0; n < count; n += 100) {
      const events = Array.from({ length: 100 }, (_, i) => ({ ...speaker, text: `${n + i}` }))
      await h
        .as(ada)
        .post(`${spaces[(n / 100) % spaces.length]}/events/batch`, { events })
        .expect(200)
    }
    const seen: string[] = []
    for (let more = true; more; ) {
      const page = await inboxOf(scout, '?limit=100')
      seen.push(...page.items.map(({ event }: Item) => event.text))
      await h.as(scout).post(`${INBOX}/done`, page.done).expect(200)
      more = page.more
    }
    expect(seen.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, n) => n))
    expect(await itemsOf(scout)).toEqual([])
  })

  it('tells that there are no more when a page has them all', async () => {
    const other = await h.openSpace(ada)
    await mention(ada, 'one')
    await mention(ada, 'two', scout, other)
    expect(await inboxOf(scout, '?limit=2')).toMatchObject({ more: false, counts: { unread: 2 } })
    expect(await inboxOf(scout, '?limit=1')).toMatchObject({ more: true, counts: { unread: 2 } })
  })

  it('has fewer on a page when they are long, and always one', async () => {
    const long = 'long '.repeat(20_000)
    for (let n = 0; n < 4; n++) await mention(ada, long)
    const first = await inboxOf(scout)
    expect(first.items).toHaveLength(2)
    expect(first).toMatchObject({ more: true, counts: { unread: 4 } })
    await markDone(scout, first.items.at(-1)).expect(200)
    expect(await inboxOf(scout)).toMatchObject({ more: false, counts: { unread: 2 } })
    const huge = '😀'.repeat(99_000)
    await mention(ada, huge)
    await markDone(scout, ...(await itemsOf(scout))).expect(200)
    expect(await textsOf(scout)).toEqual([huge])
  })

  it('has as many of each space as there are, while the first one is left alone', async () => {
    const other = await h.openSpace(ada)
    const long = 'long '.repeat(20_000)
    for (let n = 0; n < 3; n++) await mention(ada, long)
    await mention(ada, 'one', scout, other)
    await mention(ada, 'two', scout, other)
    const { items, more } = await inboxOf(scout)
    expect([items.map(({ event }: Item) => event.text), more]).toEqual([[long, long, 'one', 'two'], true])
    expect(await textsOf(scout, '?limit=3')).toEqual([long, long, 'one'])
    await markDone(scout, items[1], items[3]).expect(200)
    expect(await inboxOf(scout)).toMatchObject({ items: [{ event: { text: long } }], more: false })
  })

  it('has only what is of a space when asked for that', async () => {
    const other = await h.openSpace(ada)
    await mention(ada, 'here')
    await mention(ada, 'there', scout, other)
    expect(await textsOf(scout, `?space_id=${spaceIdOf(other)}`)).toEqual(['there'])
    await h.as(scout).get(`${INBOX}?space_id=nowhere`).expect(404, 'Space not found')
  })

  it.each(['limit=0', 'limit=101', 'wait=51', 'wait=-1', 'wait=1.5', 'wait=soon'])('refuses %s', async (wrong) => {
    await h
      .as(scout)
      .get(`${INBOX}?${wrong}`)
      .expect(400, /^(limit|wait): must be a whole number from /)
  })

  it('costs a thread no more than its newest events, however long it is', async () => {
    const { event_id } = await say(ada, 'anchor')
    const { thread_id } = await h
      .as(ada)
      .post(`${space}/threads`, { parent_event_id: event_id, subject: 'Plans' })
      .expect(200)
    await say(scout, 'early', { thread_id })
    const bob = await h.registerHuman('Bob')
    for (let n = 0; n < 50; n++) await say(bob, `${n}`, { thread_id })
    await markDone(scout, ...(await itemsOf(scout, '?limit=100'))).expect(200)
    await say(bob, 'late', { thread_id })
    expect(await itemsOf(scout)).toEqual([])
    expect((await itemsOf(ada, '?limit=100')).at(-1)?.event.text).toBe('late')
  })

  it('goes on where it was when older events of its spaces are many', async () => {
    await fillSpace(h.connection, space, ada, { count: 2_000, text: (n) => `${n}` })
    await mention(ada, 'at last')
    expect(await textsOf(scout)).toEqual(['at last'])
  })
})

describe('POST /api/actors/me/inbox/done', () => {
  it('marks all up to an event of a space, which need not be in the inbox, and nothing of others', async () => {
    const other = await h.openSpace(ada)
    await mention(ada, 'one')
    const event = await say(ada, 'to no one')
    await mention(ada, 'two')
    await mention(ada, 'three', scout, other)
    expect(await markDone(scout, { space_id: spaceIdOf(space), event }).expect(200)).toEqual({ ok: true })
    expect(await textsOf(scout)).toEqual(['two', 'three'])
  })

  it('never goes back, and can be repeated', async () => {
    await mention(ada, 'one')
    await mention(ada, 'two')
    const [one, two] = (await itemsOf(scout)) as [Item, Item]
    for (const item of [two, one, two]) await markDone(scout, item).expect(200)
    await markDone(scout, one, two, one).expect(200)
    expect(await itemsOf(scout)).toEqual([])
    await mention(ada, 'three')
    expect(await textsOf(scout)).toEqual(['three'])
  })

  it('is separate for each actor', async () => {
    const bob = await h.registerHuman('Bob')
    await say(ada, 'both', { metadata: { mentions: [bob.actor_id, scout.actor_id] } })
    await markDone(scout, ...(await itemsOf(scout))).expect(200)
    expect(await textsOf(bob)).toEqual(['both'])
  })

  it('marks nothing when something in it does not exist', async () => {
    await mention(ada, 'one')
    const [item] = (await itemsOf(scout)) as [Item]
    const { event_id } = item.event
    const other = spaceIdOf(await h.openSpace(ada))
    const good = { space_id: item.space_id, event_id }
    for (const [wrong, detail] of [
      [{ space_id: 'nowhere', event_id }, 'Space not found'],
      [{ space_id: other, event_id }, 'Event not found'],
      [{ space_id: item.space_id, event_id: NOTHING }, 'Event not found'],
      [{ space_id: item.space_id, event_id: 'x' }, 'Event not found'],
    ] as const) {
      await h
        .as(scout)
        .post(`${INBOX}/done`, { through: [good, wrong] })
        .expect(404, detail)
    }
    expect(await textsOf(scout)).toEqual(['one'])
  })

  it.each([
    [{ through: {} }, 'through: must be an array of objects'],
    [{ through: ['x'] }, 'through.0: must be a JSON object'],
    [{ through: [{ space_id: 'x' }] }, 'through.0.event_id: is required'],
    [{ through: Array(101).fill({ space_id: 'x', event_id: 'x' }) }, 'through: must have at most 100 entries'],
    [{ notices: [7] }, 'notices.0: must be a string'],
    [{ notices: Array(LIMITS.dismissed + 1).fill('x') }, `notices: must have at most ${LIMITS.dismissed} entries`],
  ])('refuses %j', async (body, detail) => {
    await h.as(scout).post(`${INBOX}/done`, body).expect(400, detail)
  })

  it('takes what the inbox says marks all of it', async () => {
    const other = await h.openSpace(ada)
    for (const text of ['one', 'two']) await mention(ada, text)
    await mention(ada, 'three', scout, other)
    const { items, done } = await inboxOf(scout)
    const [, two, three] = items.map(({ space_id, event: { event_id } }: Item) => ({ space_id, event_id }))
    expect(done).toEqual({ through: [two, three], notices: [] })
    await h.as(scout).post(`${INBOX}/done`, done).expect(200)
    expect(await itemsOf(scout)).toEqual([])
  })

  it('takes nothing, and notices that are gone', async () => {
    await h.as(scout).post(`${INBOX}/done`).expect(200)
    await h
      .as(scout)
      .post(`${INBOX}/done`, { notices: [NOTHING, 'x'] })
      .expect(200)
  })

  it('lets those who mark and those who write at once go on', async () => {
    await mention(ada, 'first')
    const others = await Promise.all(['Bob', 'Eve', 'Joe'].map((name) => h.registerHuman(name)))
    const mentions = [scout, ...others].map(({ actor_id }) => actor_id)
    const write = (n: number) => say(ada, `${n}`, { metadata: { mentions } })
    const [event] = (await itemsOf(scout)) as [Item]
    await Promise.all(
      Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? write(n) : markDone(scout, event).expect(200))),
    )
    expect(await itemsOf(scout, '?limit=100')).toHaveLength(30)
    expect(await itemsOf(others[0] as Actor, '?limit=100')).toHaveLength(30)
  })
})

describe('notices', () => {
  it('are in the inbox until they are marked as done', async () => {
    await query(
      h.connection,
      `INSERT INTO notices (tenant_id, actor_id, kind, subject, source_id, space_id, details)
       SELECT tenant_id, $1, 'review_due', 'd', $1, $2, '{"decision_id":"d"}' FROM actors WHERE actor_id = $1`,
      [scout.actor_id, spaceIdOf(space)],
    )
    const { notices, counts, items, done } = await inboxOf(scout)
    const space_id = spaceIdOf(space)
    const { notice_id } = notices[0]
    expect(notices).toEqual([
      {
        notice_id,
        kind: 'review_due',
        space_id,
        details: { decision_id: 'd' },
        earlier: 0,
        created_at: expect.stringMatching(TIMESTAMP),
      },
    ])
    expect([counts.notices, items]).toEqual([1, []])
    expect((await inboxOf(scout, `?space_id=${spaceIdOf(await h.openSpace(ada))}`)).notices).toEqual([])
    await h
      .as(ada)
      .post(`${INBOX}/done`, { notices: [notice_id] })
      .expect(200)
    expect((await inboxOf(scout)).notices).toHaveLength(1)
    expect(done).toEqual({ through: [], notices: [notice_id] })
    await h.as(scout).post(`${INBOX}/done`, done).expect(200)
    expect((await inboxOf(scout)).notices).toEqual([])
  })
})

describe('decisions', () => {
  const propose = (text: string) =>
    h
      .as(ada)
      .post(`${space}/decisions`, { proposed_by: 'Ada', text, assignees: [scout.actor_id] })
      .expect(200)
  const decisionsOf = async (actor: Actor) =>
    (await inboxOf(actor)).decisions.map(({ decision_id }: { decision_id: string }) => decision_id)

  it('are there until they are settled, and so is the notice of them', async () => {
    const [one, two] = [await propose('Go to the sea'), await propose('Go by train')]
    expect(await decisionsOf(scout)).toEqual([one.decision_id, two.decision_id])
    const settlement = { resolved_by: 'Ada', resolution: 'Yes', status: 'resolved' }
    await h.as(ada).put(`${space}/decisions/${one.decision_id}/resolve`, settlement).expect(200)
    const { decisions, notices, counts } = await inboxOf(scout)
    expect(decisions).toEqual([two])
    expect(notices).toMatchObject([{ kind: 'decision_assigned', details: { decision_id: two.decision_id } }])
    expect(counts).toEqual({ unread: 0, decisions: 1, notices: 1 })
  })

  it('are fewer when they are long, and always one', async () => {
    const long = await propose('😀'.repeat(99_000))
    const { decision_id } = await propose('Go by train')
    expect(await decisionsOf(scout)).toEqual([long.decision_id])
    expect((await inboxOf(scout)).counts.decisions).toBe(2)
    const settlement = { resolved_by: 'Ada', resolution: 'No', status: 'rejected' }
    await h.as(ada).put(`${space}/decisions/${long.decision_id}/resolve`, settlement).expect(200)
    expect(await decisionsOf(scout)).toEqual([decision_id])
  })
})

describe('the notice of a proposal without assignees', () => {
  let bob: Actor
  const propose = async (by: Actor, more: object = {}): Promise<string> =>
    (
      await h
        .as(by)
        .post(`${space}/decisions`, { proposed_by: 'x', text: 'Go by train', ...more })
        .expect(200)
    ).decision_id
  const noticesOf = async (actor: Actor) =>
    (await inboxOf(actor)).notices.map(({ kind, details }: Notice) => [kind, details.decision_id])

  interface Notice {
    readonly kind: string
    readonly details: { readonly decision_id?: string }
  }

  beforeEach(async () => {
    bob = await h.registerHuman('Bob')
    await h.as(bob).post(`${space}/join`).expect(200)
  })

  it('reaches the humans of its space and its owners, but for the proposer, until it is settled', async () => {
    const outsider = await h.registerHuman('Olga')
    const waiting = h.as(bob).get(`${INBOX}?wait=30`)
    const decision_id = await propose(scout)
    expect((await waiting.expect(200)).notices).toMatchObject([{ kind: 'decision_proposed', details: { decision_id } }])
    // The owner has not joined.
    expect(await noticesOf(ada)).toEqual([['decision_proposed', decision_id]])
    for (const actor of [scout, outsider]) expect(await noticesOf(actor)).toEqual([])
    const own = await propose(bob)
    expect(await noticesOf(ada)).toEqual([decision_id, own].map((id) => ['decision_proposed', id]))
    expect(await noticesOf(bob)).toEqual([['decision_proposed', decision_id]])
    const settlement = { resolved_by: 'Ada', resolution: 'Yes', status: 'resolved' }
    await h.as(ada).put(`${space}/decisions/${decision_id}/resolve`, settlement).expect(200)
    expect(await noticesOf(bob)).toEqual([])
    expect(await noticesOf(ada)).toEqual([['decision_proposed', own]])
    await propose(scout)
    expect(await noticesOf(bob)).toHaveLength(1)
    await h.as(bob).post(`${space}/leave`).expect(200)
    expect(await noticesOf(bob)).toEqual([])
  })

  it('reaches only the named settlers where there are some, and none who blocked the proposer', async () => {
    await h.as(scout).post(`${space}/join`).expect(200)
    await h
      .as(ada)
      .put(`${space}/policy`, { settle: { who: 'named', named: [scout.actor_id] } })
      .expect(200)
    const decision_id = await propose(bob)
    expect(await noticesOf(scout)).toEqual([['decision_proposed', decision_id]])
    expect(await noticesOf(ada)).toEqual([])
    await h
      .as(ada)
      .put(`${space}/policy`, { settle: { who: 'anyone' } })
      .expect(200)
    await h.as(ada).put(`/api/actors/me/blocks/${bob.actor_id}`).expect(200)
    await propose(bob)
    expect(await noticesOf(ada)).toEqual([])
  })
})

describe('the notice of being added to a space', () => {
  it('reaches a human that another actor adds, also where it waits, and only once', async () => {
    const bob = await h.registerHuman('Bob')
    await h.as(ada).patch(space, { visibility: 'private' }).expect(200)
    const waiting = h.as(bob).get(`${INBOX}?wait=30`)
    const add = (actor: Actor, role: string) =>
      h.as(ada).post(`${space}/participants`, { actor_id: actor.actor_id, role }).expect(200)
    await add(bob, 'member')
    const notice = { kind: 'space_added', space_id: spaceIdOf(space), details: { added_by: ada.actor_id }, earlier: 0 }
    expect((await waiting.expect(200)).notices).toMatchObject([notice])
    await add(bob, 'owner')
    expect((await inboxOf(bob)).notices).toMatchObject([notice])
    for (const actor of [ada, scout]) expect((await inboxOf(actor)).notices).toEqual([])
  })
})

describe('a credential for some spaces', () => {
  it('has what is in them, and marks nothing elsewhere as done', async () => {
    const other = await h.openSpace(ada)
    await mention(scout, 'here', ada)
    await mention(scout, 'there', ada, other)
    const [, there] = (await itemsOf(ada)) as [Item, Item]
    const limits = { name: 'narrow', space_ids: [spaceIdOf(space)] }
    const { token } = await h.as(ada).post('/api/personal-access-tokens', limits).expect(200)
    const narrow = { ...ada, api_key: token }
    expect(await inboxOf(narrow)).toMatchObject({ items: [{ event: { text: 'here' } }], counts: { unread: 1 } })
    await markDone(narrow, there).expect(404, 'Space not found')
    await h
      .as(narrow)
      .get(`${INBOX}?space_id=${spaceIdOf(other)}`)
      .expect(404, 'Space not found')
  })
})

describe('a connected agent', () => {
  const from = (installation: string) => ({ headers: { 'x-installation-id': installation } })
  let client: Client

  beforeEach(async () => {
    client = h.as(scout)
    await client.post(`/api/actors/${scout.actor_id}/connect`, { installation_id: 'here' }).expect(200)
  })

  it('names its installation', async () => {
    await client.get(INBOX, from('here')).expect(200)
    await client.post(`${INBOX}/done`, {}, from('here')).expect(200)
  })

  it.each([
    ['none', {}],
    ['another', from('there')],
  ])('that names %s is 409, as two would do the same work twice', async (_, extras) => {
    const refused = await client.get(INBOX, extras).expect(409, /Send the header X-Installation-Id/)
    expect(refused).toMatchObject({ error: 'agent_connected', agent_id: scout.actor_id })
    await client.post(`${INBOX}/done`, {}, extras).expect(409, refused.detail)
  })

  it('needs none once it is released', async () => {
    await h.as(ada).post(`/api/actors/${scout.actor_id}/release`).expect(200)
    await client.get(INBOX).expect(200)
  })
})
