import { type Actor, NOTHING, spaceIdOf, UNKNOWN_ACTOR } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { TIMESTAMP, UUID_V7 } from './support/form.js'
import { useServer } from './support/server.js'
import { plainClient } from './support/trpc.js'

const h = useServer()

interface Event {
  readonly event_id: string
  readonly text: string
  readonly timestamp: string
}

/** IDs that refer to nothing. A malformed one gets the same answer as an unknown one. */
const UNKNOWN = [NOTHING, UNKNOWN_ACTOR, 'x', '0', `${NOTHING}0`]

const textsOf = (events: readonly Event[]) => events.map(({ text }) => text)
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => String(from + i))

const say = (actor: Actor, path: string, text: string): Promise<Event> =>
  h.as(actor).post(`${path}/speech`, { text }).expect(200)

/** Creates a space with events whose texts are the numbers from 1, in order. */
async function spaceWith(count: number): Promise<{ ada: Actor; path: string; events: Event[] }> {
  const { ada, path } = await h.adasSpace()
  const events: Event[] = []
  for (const text of numbers(1, count)) events.push(await say(ada, path, text))
  return { ada, path, events }
}

/** Creates a space with concurrent events, more than fit on one page. */
async function crowdedSpace(count: number): Promise<{ ada: Actor; path: string; ids: Set<string> }> {
  const { ada, path } = await h.adasSpace()
  const events = await Promise.all(numbers(1, count).map((text) => say(ada, path, text)))
  return { ada, path, ids: new Set(events.map(({ event_id }) => event_id)) }
}

describe('GET /api/spaces/{space_id}/events', () => {
  it('returns the history in order, 50 events by default', async () => {
    const { ada, path } = await crowdedSpace(60)
    const all: Event[] = await h.as(ada).get(`${path}/events?limit=200`).expect(200)
    expect(all).toHaveLength(60)
    const stamps = all.map(({ timestamp }) => timestamp)
    expect(stamps).toEqual([...stamps].sort())
    expect(await h.as(ada).get(`${path}/events`).expect(200)).toEqual(all.slice(0, 50))
  })

  it('can be paged with since, without gaps or repeats', async () => {
    const { ada, path, ids } = await crowdedSpace(23)
    const seen: Event[] = []
    for (let since = ''; ; ) {
      const page: Event[] = await h.as(ada).get(`${path}/events?limit=5${since}`).expect(200)
      if (page.length === 0) break
      seen.push(...page)
      since = `&since=${page.at(-1)?.event_id}`
    }
    expect(seen).toHaveLength(23)
    expect(new Set(seen.map(({ event_id }) => event_id))).toEqual(ids)
    expect(await h.as(ada).get(`${path}/events?limit=200`).expect(200)).toEqual(seen)
  })

  it('returns events after since, events before before, or the last page with tail', async () => {
    const { ada, path, events } = await spaceWith(7)
    const list = async (parameters: string) => textsOf(await h.as(ada).get(`${path}/events?${parameters}`).expect(200))
    const id = (number: number) => events[number - 1]?.event_id

    expect(await list('')).toEqual(numbers(1, 7))
    expect(await list('limit=3')).toEqual(numbers(1, 3))
    expect(await list(`since=${id(3)}`)).toEqual(numbers(4, 7))
    expect(await list(`since=${id(3)}&limit=2`)).toEqual(numbers(4, 5))
    expect(await list(`since=${id(3)?.toUpperCase()}&limit=1`)).toEqual(['4'])
    expect(await list(`since=${id(7)}`)).toEqual([])
    expect(await list(`before=${id(5)}`)).toEqual(numbers(1, 4))
    expect(await list(`before=${id(5)}&limit=2`)).toEqual(numbers(3, 4))
    expect(await list(`before=${id(1)}`)).toEqual([])
    expect(await list('tail=true&limit=3')).toEqual(numbers(5, 7))
    expect(await list('tail=1')).toEqual(numbers(1, 7))
    expect(await list('tail=FALSE&limit=3')).toEqual(numbers(1, 3))
    expect(await list(`tail=false&since=${id(6)}`)).toEqual(['7'])
  })

  it('returns as many long events as requested, in chunks', async () => {
    const { ada, path } = await h.adasSpace()
    const long = (number: number) => `${number} “長” 🪐 ${'語'.repeat(60_000)}`
    const texts = Array.from({ length: 9 }, (_, index) => long(index + 1))
    const event = (text: string) => ({ speaker_id: 'bot', speaker_name: 'Bot', text, metadata: { mentions: ['bot'] } })
    await h
      .as(ada)
      .post(`${path}/events/batch`, { events: texts.map(event) })
      .expect(200)
    const all: Event[] = await h.as(ada).get(`${path}/transcript`).expect(200)
    expect(textsOf(all)).toEqual(texts)

    const second = all[1]?.event_id
    const lists: [string, Event[]][] = [
      ['events?limit=9', all],
      [`events?since=${second}&limit=5`, all.slice(2, 7)],
      [`events?before=${all[8]?.event_id}&limit=6`, all.slice(2, 8)],
      ['events?tail=true&limit=8', all.slice(1)],
      ['mentions/bot?limit=9', all],
      [`mentions/bot?since=${second}&limit=4`, all.slice(2, 6)],
    ]
    for (const [list, expected] of lists) {
      const answer = await h.as(ada).get(`${path}/${list}`)
      expect(answer.expect(200), list).toEqual(expected)
      // A response in chunks has no length in advance.
      expect(answer.headers.has('content-length'), list).toBe(false)
    }
    const client = plainClient(h.url, ada.api_key)
    expect(await client.event.list.query({ space_id: spaceIdOf(path), limit: 9 })).toEqual(all)
  })

  it.each([
    ['a long event among short ones', ['a', 'b', 'x'.repeat(20_000), 'c', 'd']],
    ['many events that are long in total', Array.from({ length: 90 }, (_, index) => `${index} ${'y'.repeat(2_000)}`)],
  ])('returns each event once with %s', async (_, texts) => {
    const { ada, path } = await h.adasSpace()
    const events = texts.map((text) => ({
      speaker_id: 'bot',
      speaker_name: 'Bot',
      text,
      metadata: { mentions: ['bot'] },
    }))
    await h.as(ada).post(`${path}/events/batch`, { events }).expect(200)
    for (const list of ['events?limit=100', 'events?tail=true&limit=100', 'mentions/bot?limit=100']) {
      expect(textsOf(await h.as(ada).get(`${path}/${list}`).expect(200)), list).toEqual(texts)
    }
  })

  it.each([
    ['1', 1],
    ['200', 7],
    ['007', 7],
  ])('accepts the limit %s', async (limit, length) => {
    const { ada, path } = await spaceWith(7)
    expect(await h.as(ada).get(`${path}/events?limit=${limit}`).expect(200)).toHaveLength(length)
  })

  it.each(['0', '201', '-1', '', '1.5', '1e1', '0x10', '+5', ' 5', 'ten', '99999999999999999999', '1e400', 'null'])(
    'rejects the limit "%s"',
    async (limit) => {
      const { ada, path } = await spaceWith(0)
      await h
        .as(ada)
        .get(`${path}/events?limit=${encodeURIComponent(limit)}`)
        .expect(400, 'limit: must be a whole number from 1 to 200')
    },
  )

  it.each(['yes', '', '2', 'null'])('rejects the tail "%s"', async (tail) => {
    const { ada, path } = await spaceWith(0)
    await h.as(ada).get(`${path}/events?tail=${tail}`).expect(400, 'tail: must be true or false')
  })

  it('accepts only one of since, before and tail', async () => {
    const { ada, path, events } = await spaceWith(1)
    const id = events[0]?.event_id
    for (const parameters of [`since=${id}&before=${id}`, `since=${id}&tail=true`, `before=${id}&tail=true`]) {
      await h
        .as(ada)
        .get(`${path}/events?${parameters}`)
        .expect(400, /^since: cannot be combined/)
    }
  })

  it.each(UNKNOWN)('returns 404 for the cursor "%s"', async (cursor) => {
    const { ada, path } = await spaceWith(1)
    await h.as(ada).get(`${path}/events?since=${cursor}`).expect(404, 'Event not found')
    await h.as(ada).get(`${path}/events?before=${cursor}`).expect(404, 'Event not found')
    await h.as(ada).get(`${path}/mentions/${UNKNOWN_ACTOR}?since=${cursor}`).expect(404, 'Event not found')
  })

  it('ignores empty cursors', async () => {
    const { ada, path } = await spaceWith(3)
    const events = await h.as(ada).get(`${path}/events`).expect(200)
    for (const cursor of ['since=', 'before=', 'since=&before=']) {
      expect(await h.as(ada).get(`${path}/events?${cursor}`).expect(200), cursor).toEqual(events)
    }
    await h.as(ada).get(`${path}/mentions/${UNKNOWN_ACTOR}?since=`).expect(200)
    for (const list of ['acts?since=', 'activity?since=', 'threads?before=', 'decisions?cursor=']) {
      await h.as(ada).get(`${path}/${list}`).expect(200)
    }
  })

  it('returns 404 for a cursor of another space', async () => {
    const { ada, path } = await spaceWith(1)
    const elsewhere = await h.openSpace(ada)
    const { event_id } = await say(ada, elsewhere, 'elsewhere')
    await h.as(ada).get(`${path}/events?since=${event_id}`).expect(404, 'Event not found')
    await h.as(ada).get(`${path}/events?before=${event_id}`).expect(404, 'Event not found')
    await h.as(ada).get(`${path}/mentions/${UNKNOWN_ACTOR}?since=${event_id}`).expect(404, 'Event not found')
    await h.as(ada).get(`${path}/events/${event_id}`).expect(404, 'Event not found')
  })

  it('returns [] for a new space, and 404 for an unknown one', async () => {
    const { ada, path } = await spaceWith(0)
    expect(await h.as(ada).get(`${path}/events`).expect(200)).toEqual([])
    expect(await h.as(ada).get(`${path}/events?tail=true`).expect(200)).toEqual([])
    await h.as(ada).get('/api/spaces/never-opened/events').expect(404, 'Space not found')
    await h.as(ada).get(`/api/spaces/never-opened/events?since=${NOTHING}`).expect(404, 'Space not found')
  })
})

describe('GET /api/spaces/{space_id}/events/{event_id}', () => {
  it('returns the event as the write returned it, by an ID in any case', async () => {
    const { ada, path, events } = await spaceWith(2)
    for (const event of events) {
      expect(await h.as(ada).get(`${path}/events/${event.event_id}`).expect(200)).toEqual(event)
      expect(await h.as(ada).get(`${path}/events/${event.event_id.toUpperCase()}`).expect(200)).toEqual(event)
    }
  })

  it.each(UNKNOWN)('returns 404 for %s', async (id) => {
    const { ada, path } = await spaceWith(1)
    await h.as(ada).get(`${path}/events/${id}`).expect(404, 'Event not found')
    await h.as(ada).get(`/api/spaces/never-opened/events/${id}`).expect(404)
  })
})

describe('GET /api/spaces/{space_id}/transcript', () => {
  it('returns the whole history in order, however many events it has', async () => {
    const { ada, path, ids } = await crowdedSpace(250)
    const transcript: Event[] = await h.as(ada).get(`${path}/transcript`).expect(200)
    expect(transcript).toHaveLength(250)
    expect(new Set(transcript.map(({ event_id }) => event_id))).toEqual(ids)
    const pages = await h.as(ada).get(`${path}/events?limit=200`).expect(200)
    const rest = await h
      .as(ada)
      .get(`${path}/events?since=${pages.at(-1).event_id}`)
      .expect(200)
    expect(transcript).toEqual([...pages, ...rest])
  })

  /** Creates three events with different timestamps. */
  async function threeMoments() {
    const { ada, path } = await h.adasSpace()
    const events: Event[] = [await say(ada, path, '1')]
    while (events.length < 3) {
      const next = await say(ada, path, String(events.length + 1))
      if (next.timestamp !== events.at(-1)?.timestamp) events.push(next)
    }
    const [first, second, third] = events.map(({ timestamp }) => timestamp) as [string, string, string]
    const all: Event[] = await h.as(ada).get(`${path}/events`).expect(200)
    const between = (start: string, end: string) =>
      all.filter(({ timestamp }) => timestamp >= start && timestamp <= end).map(({ event_id }) => event_id)
    const transcript = async (parameters: string) =>
      (await h.as(ada).get(`${path}/transcript?${parameters}`).expect(200)).map(
        ({ event_id }: Event) => event_id,
      ) as string[]
    return { ada, path, first, second, third, between, transcript }
  }

  it('includes the events at start and at end', async () => {
    const { first, second, third, between, transcript } = await threeMoments()
    expect(await transcript(`start=${second}&end=${second}`)).toEqual(between(second, second))
    expect(await transcript(`start=${second}`)).toEqual(between(second, third))
    expect(await transcript(`end=${second}`)).toEqual(between(first, second))
    expect(await transcript(`start=${first}&end=${third}`)).toEqual(between(first, third))
    const justAfter = new Date(Date.parse(third) + 1).toISOString()
    const justBefore = new Date(Date.parse(first) - 1).toISOString()
    expect(await transcript(`start=${justAfter}`)).toEqual([])
    expect(await transcript(`end=${justBefore}`)).toEqual([])
  })

  it('accepts any offset, reads a time without one as UTC, and restores a + that the query lost', async () => {
    const { second, between, transcript } = await threeMoments()
    const shown = (minutes: number) => new Date(Date.parse(second) + minutes * 60_000).toISOString().slice(0, -1)
    for (const moment of [
      shown(0),
      `${shown(0)}z`,
      `${shown(120)}%2B02:00`,
      `${shown(120)}+02:00`,
      `${shown(120)}%2002:00`,
      `${shown(330)}%2B0530`,
      `${shown(-480)}-08:00`,
      `${shown(-480)}-08`,
      shown(0).replace('T', '%20'),
      `${shown(0)}999Z`,
    ]) {
      expect(await transcript(`start=${moment}&end=${moment}`)).toEqual(between(second, second))
    }
  })

  it('reads a date without a time as midnight', async () => {
    const { first, third, between, transcript } = await threeMoments()
    const day = (moment: string, days: number) =>
      new Date(Date.parse(moment) + days * 86_400_000).toISOString().slice(0, 10)
    expect(await transcript(`start=${day(first, 0)}&end=${day(third, 1)}`)).toEqual(between(first, third))
    expect(await transcript(`start=${day(third, 1)}`)).toEqual([])
    expect(await transcript(`end=${day(first, 0)}`)).toEqual([])
  })

  it.each([
    'start=2026-01-02&end=2026-01-01',
    'start=2026-01-01T00:00:00.001Z&end=2026-01-01T00:00:00.000Z',
    'start=2026-01-01T00:00:00-01:00&end=2026-01-01T00:00:00Z',
  ])('rejects a start after the end: %s', async (parameters) => {
    const { ada, path } = await spaceWith(0)
    await h.as(ada).get(`${path}/transcript?${parameters}`).expect(400, 'start: must not be after end')
  })

  it.each([
    '',
    'yesterday',
    '2026',
    '2026-02-30',
    '2026-01-01T25:00:00Z',
    '1969-12-31',
    '2101-01-01',
    '0001-01-01',
    '0075-01-01',
    '%2B275760-09-13T00:00:00Z',
    '-000001-01-01T00:00:00Z',
    '1767225600',
    'NaN',
    'infinity',
    'now',
  ])('rejects the time "%s"', async (moment) => {
    const { ada, path } = await spaceWith(0)
    for (const end of ['start', 'end']) {
      await h
        .as(ada)
        .get(`${path}/transcript?${end}=${moment}`)
        .expect(400, `${end}: must be an ISO 8601 timestamp between 1970 and 2100`)
    }
  })

  it('returns [] for a new space, and 404 for an unknown one', async () => {
    const { ada, path } = await spaceWith(0)
    expect(await h.as(ada).get(`${path}/transcript`).expect(200)).toEqual([])
    await h.as(ada).get('/api/spaces/never-opened/transcript').expect(404, 'Space not found')
  })
})

describe('GET /api/spaces/{space_id}/mentions/{participant_id}', () => {
  const mention = (actor: Actor, path: string, mentions: unknown): Promise<Event> =>
    h.as(actor).post(`${path}/speech`, { text: 'Look', metadata: { mentions } }).expect(200)

  it('returns the events that mention an actor, each once, in order', async () => {
    const ada = await h.registerHuman()
    const bob = await h.registerHuman('Bob')
    const path = await h.openSpace(ada)
    const first = await mention(ada, path, [bob.actor_id, bob.actor_id])
    await mention(ada, path, [ada.actor_id])
    const second = await mention(ada, path, [ada.actor_id, bob.actor_id])
    await say(ada, path, `@${bob.actor_id}`)
    await mention(ada, await h.openSpace(ada), [bob.actor_id])
    expect(await h.as(ada).get(`${path}/mentions/${bob.actor_id}`).expect(200)).toEqual([first, second])
  })

  it('pages by since and limit, 20 events by default', async () => {
    const { ada, path } = await h.adasSpace()
    const events: Event[] = []
    for (let i = 0; i < 22; i++) events.push(await mention(ada, path, ['everyone']))
    const other = await say(ada, path, 'not a mention')
    const after = await mention(ada, path, ['everyone'])
    const list = async (parameters: string) =>
      (await h.as(ada).get(`${path}/mentions/everyone?${parameters}`).expect(200)) as Event[]

    expect(await list('')).toEqual(events.slice(0, 20))
    expect(await list('limit=100')).toEqual([...events, after])
    expect(await list('limit=3')).toEqual(events.slice(0, 3))
    expect(await list(`since=${events[1]?.event_id}&limit=2`)).toEqual(events.slice(2, 4))
    // A cursor may be any event of the space, also one without mentions.
    expect(await list(`since=${other.event_id}`)).toEqual([after])
    expect(await list(`since=${after.event_id}`)).toEqual([])
  })

  it.each(['0', '101', '-1', '', 'all'])('rejects the limit "%s"', async (limit) => {
    const { ada, path } = await spaceWith(0)
    await h.as(ada).get(`${path}/mentions/x?limit=${limit}`).expect(400, 'limit: must be a whole number from 1 to 100')
  })

  it.each<{ mentions: unknown }>(
    [['x', 7], ['x', null], [['x']], 'x', { 0: 'x' }, null, true].map((mentions) => ({ mentions })),
  )('finds none of the malformed mentions %j, which are stored as they are', async ({ mentions }) => {
    const { ada, path } = await spaceWith(0)
    const event = await mention(ada, path, mentions)
    expect(event).toMatchObject({ metadata: { mentions } })
    expect(await h.as(ada).get(`${path}/mentions/x`).expect(200)).toEqual([])
    expect(await h.as(ada).get(`${path}/events`).expect(200)).toEqual([event])
  })

  it('returns [] for an unknown actor, whatever the ID looks like', async () => {
    const { ada, path } = await spaceWith(1)
    for (const id of [UNKNOWN_ACTOR, 'x', '%F0%9F%98%80', "'%20OR%201=1--", 'x'.repeat(3_000)]) {
      expect(await h.as(ada).get(`${path}/mentions/${id}`).expect(200)).toEqual([])
    }
    await h.as(ada).get(`/api/spaces/never-opened/mentions/${UNKNOWN_ACTOR}`).expect(404, 'Space not found')
  })

  it('finds unusual mentions that can be IDs, and all are stored as they are', async () => {
    const { ada, path } = await spaceWith(0)
    const odd = [
      '',
      ' ',
      '😀'.repeat(100),
      'x'.repeat(200),
      'x'.repeat(60_000),
      "Robert'); DROP TABLE events;--",
      '%',
      '\\',
    ]
    const event = await mention(ada, path, odd)
    expect(event).toMatchObject({ metadata: { mentions: odd } })
    for (const id of ['😀'.repeat(100), 'x'.repeat(200), "Robert'); DROP TABLE events;--", '%', '\\']) {
      expect(
        await h
          .as(ada)
          .get(`${path}/mentions/${encodeURIComponent(id)}`)
          .expect(200),
      ).toEqual([event])
    }
  })
})

/** The three ways to post an event, each with the required fields. */
const WRITES = [
  ['speech', { text: 'Hello' }],
  ['response', { text: 'Hello' }],
  ['events', { text: 'Hello', speaker_id: 'slack:U1', speaker_name: 'Grace' }],
] as const

describe('POST /api/spaces/{space_id}/speech', () => {
  it('posts as the caller', async () => {
    const ada = await h.registerHuman('Ada')
    const path = await h.openSpace(ada, 'heard')
    const event = await h.as(ada).post(`${path}/speech`, { text: 'Hello' }).expect(200)
    expect(event).toEqual({
      event_id: expect.stringMatching(UUID_V7),
      space_id: 'heard',
      speaker_id: ada.actor_id,
      speaker_name: 'Ada',
      speaker_type: 'human',
      text: 'Hello',
      timestamp: expect.stringMatching(TIMESTAMP),
      parent_event_id: null,
      references: [],
      thread_id: null,
      metadata: null,
      posted_by: ada.actor_id,
      posted_by_name: 'Ada',
      posted_by_type: 'human',
    })
  })

  it('accepts another speaker, and records the real poster', async () => {
    const { ada, path } = await h.adasSpace()
    const sent = { speaker_id: 'phone:+4930', speaker_name: 'Grace', text: 'Hi', metadata: { message_type: 'call' } }
    const claimed = { speaker_type: 'system', posted_by: UNKNOWN_ACTOR, timestamp: '1999-01-01', event_id: NOTHING }
    const event = await h
      .as(ada)
      .post(`${path}/speech`, { ...sent, ...claimed })
      .expect(200)
    expect(event).toMatchObject({ ...sent, speaker_type: 'human', posted_by: ada.actor_id })
    expect(event.event_id).not.toBe(NOTHING)
    expect(event.timestamp).not.toContain('1999')
  })
})

describe('POST /api/spaces/{space_id}/response', () => {
  it('posts as the authenticated actor, whatever the body claims', async () => {
    const ada = await h.registerHuman('Ada')
    const scout = await h.registerAgent(ada, 'Scout')
    const path = await h.openSpace(ada)
    const question = await say(ada, path, 'Well?')
    const event = await h
      .as(scout)
      .post(`${path}/response`, {
        text: 'Done',
        agent_id: ada.actor_id,
        agent_name: 'Ada',
        speaker_id: ada.actor_id,
        speaker_name: 'Ada',
        speaker_type: 'human',
        posted_by: ada.actor_id,
        parent_event_id: question.event_id,
        metadata: { tokens: 12 },
      })
      .expect(200)
    expect(event).toEqual({
      event_id: expect.stringMatching(UUID_V7),
      space_id: spaceIdOf(path),
      speaker_id: scout.actor_id,
      speaker_name: 'Scout',
      speaker_type: 'agent',
      text: 'Done',
      timestamp: expect.stringMatching(TIMESTAMP),
      parent_event_id: question.event_id,
      references: [],
      thread_id: null,
      metadata: { tokens: 12 },
      posted_by: scout.actor_id,
      posted_by_name: 'Scout',
      posted_by_type: 'agent',
    })
  })
})

describe('POST /api/spaces/{space_id}/events', () => {
  it('stores an event from any source, with all its fields', async () => {
    const { ada, path } = await h.adasSpace()
    const parent = await say(ada, path, 'Start')
    const thread = await h
      .as(ada)
      .post(`${path}/threads`, { parent_event_id: parent.event_id, subject: 'Minutes' })
      .expect(200)
    const sent = {
      speaker_id: 'zoom:42',
      speaker_name: 'Grace',
      speaker_type: 'transcript',
      text: 'As I said',
      parent_event_id: parent.event_id,
      references: ['https://example.org/a', 's3://bucket/key', 'not a uri at all'],
      thread_id: thread.thread_id,
      metadata: { mentions: [ada.actor_id], nested: { list: [1, null, true, 1.5] } },
    }
    const event = await h.as(ada).post(`${path}/events`, sent).expect(200)
    expect(event).toEqual({
      ...sent,
      event_id: expect.stringMatching(UUID_V7),
      space_id: spaceIdOf(path),
      timestamp: expect.stringMatching(TIMESTAMP),
      posted_by: ada.actor_id,
      posted_by_name: 'Ada',
      posted_by_type: 'human',
    })
  })

  it('uses defaults for omitted fields and null', async () => {
    const { ada, path } = await spaceWith(0)
    for (const absent of [undefined, null]) {
      const body = {
        text: 'x',
        speaker_id: 's',
        speaker_name: 'S',
        speaker_type: absent,
        references: absent,
        parent_event_id: absent,
        thread_id: absent,
        metadata: absent,
      }
      expect(await h.as(ada).post(`${path}/events`, body).expect(200)).toMatchObject({
        speaker_type: 'human',
        references: [],
        parent_event_id: null,
        thread_id: null,
        metadata: null,
      })
    }
  })

  it.each(['human', 'agent', 'transcript', 'system', 'a custom one', '机器人'])(
    'accepts the speaker type %s',
    async (speaker_type) => {
      const { ada, path } = await spaceWith(0)
      const body = { text: 'x', speaker_id: 's', speaker_name: 'S', speaker_type }
      expect((await h.as(ada).post(`${path}/events`, body).expect(200)).speaker_type).toBe(speaker_type)
    },
  )

  it.each<[string, unknown]>([
    ['speaker_id', undefined],
    ['speaker_id', null],
    ['speaker_id', ''],
    ['speaker_id', 'x'.repeat(201)],
    ['speaker_id', 7],
    ['speaker_name', undefined],
    ['speaker_name', null],
    ['speaker_name', ''],
    ['speaker_name', 'x'.repeat(201)],
    ['speaker_type', ''],
    ['speaker_type', 'x'.repeat(65)],
    ['speaker_type', 7],
    ['references', 'https://example.org'],
    ['references', [7]],
    ['references', ['']],
    ['references', ['x'.repeat(2_049)]],
    ['references', Array.from({ length: 101 }, () => 'x')],
  ])('rejects the %s %j', async (field, value) => {
    const { ada, path } = await spaceWith(0)
    const body = { text: 'x', speaker_id: 's', speaker_name: 'S', [field]: value }
    await h
      .as(ada)
      .post(`${path}/events`, body)
      .expect(400, new RegExp(`^${field}(\\.\\d+)?: `))
    expect(await h.as(ada).get(`${path}/events`).expect(200)).toEqual([])
  })
})

/** Returns a function that sends a write of this kind with additional fields. */
const sender = (write: string, body: object) => (actor: Actor, path: string, fields: object) =>
  h.as(actor).post(`${path}/${write}`, { ...body, ...fields })

describe.each(WRITES)('every write of one event, such as POST /%s', (write, body) => {
  const send = sender(write, body)

  it('returns the event as it is stored', async () => {
    const { ada, path } = await spaceWith(0)
    const sent = { ...body, text: 'ünïcödé 😀 \u2028 "quoted" \\ \t\n <b>', metadata: { 'k"\u2029': '\u0001\u007f' } }
    const event = await h.as(ada).post(`${path}/${write}`, sent).expect(200)
    expect(event).toMatchObject({ text: sent.text, metadata: sent.metadata })
    expect(await h.as(ada).get(`${path}/events`).expect(200)).toEqual([event])
    expect(await h.as(ada).get(`${path}/events/${event.event_id}`).expect(200)).toEqual(event)
  })

  it('accepts text of 1 to 100,000 code points', async () => {
    const { ada, path } = await spaceWith(0)
    const longest = '😀'.repeat(100_000)
    const { text } = await send(ada, path, { text: longest }).expect(200)
    expect(text).toBe(longest)
    for (const [text, detail] of [
      [undefined, 'text: is required'],
      [null, 'text: is required'],
      ['', 'text: must not be empty'],
      [' \u200b\u2800\n', 'text: must have a visible character'],
      [7, 'text: must be a string'],
      [['x'], 'text: must be a string'],
      [{ length: 1 }, 'text: must be a string'],
      [`${longest}x`, 'text: must be at most 100,000 characters, not 100,001'],
    ]) {
      await send(ada, path, { text }).expect(400, detail as string)
    }
    expect((await h.as(ada).get(`${path}/status`).expect(200)).event_count).toBe(1)
  })

  it('keeps metadata unchanged, including __proto__ and constructor', async () => {
    const { ada, path } = await spaceWith(0)
    const metadata = '{"__proto__":{"admin":true},"constructor":{"prototype":1},"toString":null,"":0,"z":1,"a":[{}]}'
    const fields = JSON.stringify(body).slice(0, -1)
    const answer = await h.as(ada).post(`${path}/${write}`, `${fields},"metadata":${metadata}}`)
    answer.expect(200)
    expect(answer.text).toContain(`"metadata":${metadata}`)
    expect((await h.as(ada).get(`${path}/events`)).text).toBe(`[${answer.text}]`)
  })

  it.each([['a string'], [7], [true], [[]], [['x']]])('rejects the metadata %j', async (metadata) => {
    const { ada, path } = await spaceWith(0)
    await send(ada, path, { metadata }).expect(400, 'metadata: must be a JSON object')
  })

  it('accepts metadata of up to 64 KiB and 32 levels', async () => {
    const { ada, path } = await spaceWith(0)
    const sized = (bytes: number) => ({ k: 'é'.repeat((bytes - 8) / 2) })
    let nested: object = {}
    for (let level = 1; level < 32; level++) nested = { a: nested }
    for (const metadata of [sized(65_536), nested]) {
      expect(await send(ada, path, { metadata }).expect(200)).toMatchObject({ metadata })
    }
    await send(ada, path, { metadata: sized(65_538) }).expect(
      400,
      'metadata: must be at most 65536 bytes of JSON, not 65538',
    )
    await send(ada, path, { metadata: { a: nested } }).expect(400, 'metadata: must not nest deeper than 32 levels')
  })

  it.each([...UNKNOWN, '', 'thread of another space', 'event'])('returns 404 for the thread "%s"', async (thread) => {
    const { ada, path, events } = await spaceWith(1)
    const elsewhere = await h.openSpace(ada)
    const { event_id } = await say(ada, elsewhere, 'elsewhere')
    const start = { parent_event_id: event_id, subject: 'There' }
    const { thread_id } = await h.as(ada).post(`${elsewhere}/threads`, start).expect(200)
    const ids: Record<string, string> = { 'thread of another space': thread_id, event: events[0]?.event_id ?? '' }
    await send(ada, path, { thread_id: ids[thread] ?? thread }).expect(404, 'Thread not found')
    expect(await h.as(ada).get(`${path}/events`).expect(200)).toEqual(events)
  })

  it('returns 400 for a thread that is not a string', async () => {
    const { ada, path } = await spaceWith(0)
    await send(ada, path, { thread_id: 7 }).expect(400, 'thread_id: must be a string')
  })

  it.each(['paused', 'archived'])('returns 409 in a space that is %s', async (status) => {
    const { ada, path, events } = await spaceWith(1)
    await h.as(ada).patch(path, { status }).expect(200)
    await h.as(ada).post(`${path}/${write}`, body).expect(409, 'Space is not active')
    // An unknown thread is reported before the status.
    await send(ada, path, { thread_id: NOTHING }).expect(404, 'Thread not found')
    expect(await h.as(ada).get(`${path}/events`).expect(200)).toEqual(events)
  })

  describe('with Idempotency-Key', () => {
    const keyed = (actor: Actor, path: string, key: string, fields: object = body) =>
      h.as(actor).post(`${path}/${write}`, fields, { headers: { 'idempotency-key': key } })

    it('returns the first result again, and writes one event', async () => {
      const { ada, path } = await spaceWith(0)
      const first = await keyed(ada, path, 'k').expect(200)
      const later = await say(ada, path, 'in between')
      expect(await keyed(ada, path, 'k').expect(200)).toEqual(first)
      expect(await keyed(ada, path, 'k', { ...body, unknown_field: 1 }).expect(200)).toEqual(first)
      expect(await h.as(ada).get(`${path}/events`).expect(200)).toEqual([first, later])
    })

    it.each(['paused', 'archived'])('returns the first result even when the space is %s', async (status) => {
      const { ada, path } = await spaceWith(0)
      const first = await keyed(ada, path, 'k').expect(200)
      await h.as(ada).patch(path, { status }).expect(200)
      expect(await keyed(ada, path, 'k').expect(200)).toEqual(first)
      await keyed(ada, path, 'another').expect(409, 'Space is not active')
    })

    it('rejects the key with another body or another operation', async () => {
      const { ada, path } = await spaceWith(0)
      const first = await keyed(ada, path, 'k').expect(200)
      const refused = 'Idempotency-Key was already used with a different request'
      for (const fields of [
        { ...body, text: 'Other' },
        { ...body, metadata: {} },
      ]) {
        await keyed(ada, path, 'k', fields).expect(409, refused)
      }
      for (const [other, fields] of WRITES.filter(([name]) => name !== write)) {
        await h
          .as(ada)
          .post(`${path}/${other}`, fields, { headers: { 'idempotency-key': 'k' } })
          .expect(409, refused)
      }
      expect(await h.as(ada).get(`${path}/events`).expect(200)).toEqual([first])
    })

    it('keeps the keys of different actors and spaces apart', async () => {
      const [ada, bob] = [await h.registerHuman('Ada'), await h.registerHuman('Bob')]
      const [here, there] = [await h.openSpace(ada), await h.openSpace(ada)]
      const events = [
        await keyed(ada, here, 'k').expect(200),
        await keyed(bob, here, 'k').expect(200),
        await keyed(ada, there, 'k').expect(200),
        await keyed(ada, here, 'K').expect(200),
      ]
      expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(4)
    })

    it('leaves the key of a rejected write unused', async () => {
      const { ada, path } = await spaceWith(0)
      await keyed(ada, path, 'k', { ...body, text: '' }).expect(400)
      await keyed(ada, path, 'k', { ...body, thread_id: NOTHING }).expect(404)
      await h.as(ada).patch(path, { status: 'paused' }).expect(200)
      await keyed(ada, path, 'k', { ...body, text: 'Refused' }).expect(409, 'Space is not active')
      await h.as(ada).patch(path, { status: 'active' }).expect(200)
      await keyed(ada, path, 'k').expect(200)
      expect(await h.as(ada).get(`${path}/events`).expect(200)).toHaveLength(1)
    })

    it('accepts 1 to 255 printable characters', async () => {
      const { ada, path } = await spaceWith(0)
      for (const key of ['x', '~'.repeat(255), 'a b', '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}']) {
        await keyed(ada, path, key).expect(200)
      }
      for (const key of ['', 'x'.repeat(256), 'é', 'a\tb'])
        await keyed(ada, path, key).expect(400, /^idempotency.key: /i)
      expect(await h.as(ada).get(`${path}/events`).expect(200)).toHaveLength(4)
    })

    it('ignores fields of that name in the body', async () => {
      const { ada, path } = await spaceWith(0)
      for (let i = 0; i < 2; i++) {
        await send(ada, path, { idempotency_key: 'k', 'Idempotency-Key': 'k' }).expect(200)
      }
      expect(await h.as(ada).get(`${path}/events`).expect(200)).toHaveLength(2)
    })
  })
})

describe.each(WRITES)('the mentions of an event, posted by %s', (write, body) => {
  const mentions = (count: number) => Array.from({ length: count }, (_, index) => `agt_${index}`)

  it('name at most 100 different participants', async () => {
    const { ada, path } = await spaceWith(0)
    const hundred = [...mentions(100), 'agt_0']
    const kept = await h.as(ada).post(`${path}/${write}`, { ...body, metadata: { mentions: hundred } })
    expect(kept.body.metadata).toEqual({ mentions: hundred })
    const refused = await h.as(ada).post(`${path}/${write}`, { ...body, metadata: { mentions: mentions(101) } })
    expect(refused.body).toEqual({ detail: 'metadata.mentions: must name at most 100 participants' })
    const long = mentions(101).map((id) => id.repeat(201))
    await h
      .as(ada)
      .post(`${path}/${write}`, { ...body, metadata: { mentions: long } })
      .expect(400)
    expect(refused.status).toBe(400)
  })
})

describe.each(WRITES)('the parent of an event, posted by %s', (write, body) => {
  const send = sender(write, body)

  it('is an event of the same space, by an ID in any case', async () => {
    const { ada, path, events } = await spaceWith(1)
    const parent_event_id = events[0]?.event_id as string
    for (const id of [parent_event_id, parent_event_id.toUpperCase()]) {
      const event = await send(ada, path, { parent_event_id: id }).expect(200)
      expect(event.parent_event_id).toBe(parent_event_id)
    }
  })

  it.each([...UNKNOWN, '', 'event of another space'])('is rejected with 404 when it is "%s"', async (parent) => {
    const { ada, path } = await spaceWith(0)
    const elsewhere = await say(ada, await h.openSpace(ada), 'elsewhere')
    const parent_event_id = parent === 'event of another space' ? elsewhere.event_id : parent
    await send(ada, path, { parent_event_id }).expect(404, 'Parent event not found')
    expect(await h.as(ada).get(`${path}/events`).expect(200)).toEqual([])
  })

  it('is rejected with 400 when it is not a string', async () => {
    const { ada, path } = await spaceWith(0)
    await send(ada, path, { parent_event_id: 7 }).expect(400, 'parent_event_id: must be a string')
  })
})
