import { type Actor, NOTHING, spaceIdOf, UNKNOWN_ACTOR } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { TIMESTAMP, UUID_V7 } from './support/form.js'
import { useServer } from './support/server.js'

const h = useServer()

/** Malformed ids are treated as unknown ones. */
const UNKNOWN = [NOTHING, UNKNOWN_ACTOR, 'x', `${NOTHING}0`]

/** Creates a space with one event, the anchor of a thread. */
async function anchored(): Promise<{ ada: Actor; path: string; anchor: string }> {
  const { ada, path } = await h.adasSpace()
  const { event_id } = await h.as(ada).post(`${path}/speech`, { text: 'Anchor' }).expect(200)
  return { ada, path, anchor: event_id }
}

const start = (actor: Actor, path: string, parent_event_id: unknown, subject: unknown = 'Plans') =>
  h.as(actor).post(`${path}/threads`, { parent_event_id, subject })

describe('POST /api/spaces/{space_id}/threads', () => {
  it('starts a thread on an event', async () => {
    const { ada, path, anchor } = await anchored()
    expect(await start(ada, path, anchor).expect(200)).toEqual({
      thread_id: expect.stringMatching(UUID_V7),
      space_id: spaceIdOf(path),
      parent_event_id: anchor,
      subject: 'Plans',
      created_at: expect.stringMatching(TIMESTAMP),
    })
  })

  it('returns the existing thread to any actor, also with another subject', async () => {
    const { ada, path, anchor } = await anchored()
    const bob = await h.registerHuman('Bob')
    const thread = await start(ada, path, anchor).expect(200)
    expect(await start(ada, path, anchor).expect(200)).toEqual(thread)
    expect(await start(bob, path, anchor, 'Something else').expect(200)).toEqual(thread)
    expect(await start(ada, path, anchor.toUpperCase()).expect(200)).toEqual(thread)
  })

  it('starts one thread for concurrent requests', async () => {
    const { ada, path, anchor } = await anchored()
    const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => start(ada, path, anchor, `Subject ${i}`)))
    const threads = answers.map((answer) => answer.expect(200))
    expect(new Set(threads.map(({ thread_id }) => thread_id)).size).toBe(1)
    expect(new Set(threads.map(({ subject }) => subject)).size).toBe(1)
  })

  it('starts a separate thread on each event', async () => {
    const { ada, path, anchor } = await anchored()
    const other = await h.as(ada).post(`${path}/speech`, { text: 'Other' }).expect(200)
    const [one, two] = [await start(ada, path, anchor).expect(200), await start(ada, path, other.event_id).expect(200)]
    expect(one.thread_id).not.toBe(two.thread_id)
  })

  it('may anchor a thread on an event of a thread', async () => {
    const { ada, path, anchor } = await anchored()
    const { thread_id } = await start(ada, path, anchor).expect(200)
    const event = await h.as(ada).post(`${path}/speech`, { text: 'Within', thread_id }).expect(200)
    expect((await start(ada, path, event.event_id).expect(200)).parent_event_id).toBe(event.event_id)
  })

  it.each(['paused', 'archived'])(
    'in a space that is %s returns an existing thread, and starts no new one',
    async (status) => {
      const { ada, path, anchor } = await anchored()
      const bare = await h.as(ada).post(`${path}/speech`, { text: 'Bare' }).expect(200)
      const thread = await start(ada, path, anchor).expect(200)
      await h.as(ada).patch(path, { status }).expect(200)
      expect(await start(ada, path, anchor).expect(200)).toEqual(thread)
      await start(ada, path, bare.event_id).expect(409, 'Space is not active')
      // A missing event is reported before the status of the space.
      await start(ada, path, NOTHING).expect(404, 'Parent event not found')
      await h.as(ada).get(`${path}/threads/${bare.event_id}`).expect(404, 'Thread not found')
    },
  )

  it.each(UNKNOWN)('returns 404 for the event %s', async (id) => {
    const { ada, path } = await anchored()
    await start(ada, path, id).expect(404, 'Parent event not found')
  })

  it('returns 404 for an event of another space, a thread as anchor, and an unknown space', async () => {
    const { ada, path, anchor } = await anchored()
    const elsewhere = await h.openSpace(ada)
    const { thread_id } = await start(ada, path, anchor).expect(200)
    await start(ada, elsewhere, anchor).expect(404, 'Parent event not found')
    await start(ada, path, thread_id).expect(404, 'Parent event not found')
    await start(ada, '/api/spaces/never-opened', anchor).expect(404, 'Space not found')
  })

  it('accepts a subject of 1 to 200 code points, and requires both fields', async () => {
    const { ada, path, anchor } = await anchored()
    for (const [body, detail] of [
      [{ subject: 'x' }, 'parent_event_id: is required'],
      [{ subject: 'x', parent_event_id: null }, 'parent_event_id: is required'],
      [{ subject: 'x', parent_event_id: 7 }, 'parent_event_id: must be a string'],
      [{ parent_event_id: anchor }, 'subject: is required'],
      [{ parent_event_id: anchor, subject: null }, 'subject: is required'],
      [{ parent_event_id: anchor, subject: '' }, 'subject: must not be empty'],
      [{ parent_event_id: anchor, subject: ['x'] }, 'subject: must be a string'],
      [{ parent_event_id: anchor, subject: 'x'.repeat(201) }, 'subject: must be at most 200 characters, not 201'],
    ] as const) {
      await h.as(ada).post(`${path}/threads`, body).expect(400, detail)
    }
    await h.as(ada).get(`${path}/threads/${anchor}`).expect(404, 'Thread not found')
    expect((await start(ada, path, anchor, '😀'.repeat(200)).expect(200)).subject).toBe('😀'.repeat(200))
  })
})

describe('GET /api/spaces/{space_id}/threads/{event_id}', () => {
  it('returns a new thread by its id and by the id of its anchor', async () => {
    const { ada, path, anchor } = await anchored()
    const thread = await start(ada, path, anchor).expect(200)
    for (const id of [thread.thread_id, anchor, thread.thread_id.toUpperCase(), anchor.toUpperCase()]) {
      expect(await h.as(ada).get(`${path}/threads/${id}`).expect(200)).toEqual({ thread, events: [] })
    }
  })

  it('returns the events of the thread in order, which are also in the history', async () => {
    const { ada, path, anchor } = await anchored()
    const scout = await h.registerAgent(ada)
    const thread = await start(ada, path, anchor).expect(200)
    const { thread_id } = thread
    const source = { speaker_id: 's', speaker_name: 'S' }
    const inThread = [
      await h.as(ada).post(`${path}/speech`, { text: '1', thread_id }).expect(200),
      await h.as(scout).post(`${path}/response`, { text: '2', thread_id: thread_id.toUpperCase() }).expect(200),
    ]
    // A reply to the anchor is outside the thread unless it is posted into it.
    const beside = await h.as(scout).post(`${path}/response`, { text: 'beside', parent_event_id: anchor }).expect(200)
    inThread.push(
      await h
        .as(ada)
        .post(`${path}/events`, { ...source, text: '3', thread_id })
        .expect(200),
    )

    expect(inThread.map((event) => event.thread_id)).toEqual([thread_id, thread_id, thread_id])
    expect(await h.as(ada).get(`${path}/threads/${anchor}`).expect(200)).toEqual({ thread, events: inThread })
    const history = await h.as(ada).get(`${path}/events?since=${anchor}`).expect(200)
    expect(history).toEqual([inThread[0], inThread[1], beside, inThread[2]])
  })

  it('keeps the threads of a space apart', async () => {
    const { ada, path, anchor } = await anchored()
    const other = await h.as(ada).post(`${path}/speech`, { text: 'Other' }).expect(200)
    const [one, two] = [await start(ada, path, anchor).expect(200), await start(ada, path, other.event_id).expect(200)]
    for (const { thread_id } of [one, two]) {
      await h.as(ada).post(`${path}/speech`, { text: thread_id, thread_id }).expect(200)
    }
    for (const { thread_id } of [one, two]) {
      const { events } = await h.as(ada).get(`${path}/threads/${thread_id}`).expect(200)
      expect(events.map(({ text }: { text: string }) => text)).toEqual([thread_id])
    }
  })

  it('returns all events of a long thread', async () => {
    const { ada, path, anchor } = await anchored()
    const { thread_id } = await start(ada, path, anchor).expect(200)
    const posts = Array.from({ length: 230 }, (_, i) =>
      h.as(ada).post(`${path}/speech`, { text: String(i), ...(i % 10 > 0 && { thread_id }) }),
    )
    for (const answer of await Promise.all(posts)) answer.expect(200)
    const { events } = await h.as(ada).get(`${path}/threads/${thread_id}`).expect(200)
    expect(events).toHaveLength(207)
    const history = await h.as(ada).get(`${path}/transcript`).expect(200)
    expect(events).toEqual(history.filter((event: { thread_id: string | null }) => event.thread_id === thread_id))
  })

  it('returns a thread of an archived space', async () => {
    const { ada, path, anchor } = await anchored()
    const thread = await start(ada, path, anchor).expect(200)
    await h.as(ada).post(`${path}/archive`).expect(200)
    expect(await h.as(ada).get(`${path}/threads/${anchor}`).expect(200)).toEqual({ thread, events: [] })
  })

  it.each(UNKNOWN)('returns 404 for %s', async (id) => {
    const { ada, path } = await anchored()
    await h.as(ada).get(`${path}/threads/${id}`).expect(404, 'Thread not found')
  })

  it('returns 404 for an event without a thread, and for a thread of another space', async () => {
    const { ada, path, anchor } = await anchored()
    await h.as(ada).get(`${path}/threads/${anchor}`).expect(404, 'Thread not found')
    const { thread_id } = await start(ada, path, anchor).expect(200)
    const elsewhere = await h.openSpace(ada)
    for (const space of [elsewhere, '/api/spaces/never-opened']) {
      for (const id of [thread_id, anchor])
        await h.as(ada).get(`${space}/threads/${id}`).expect(404, 'Thread not found')
    }
  })
})
