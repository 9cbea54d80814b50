import { type Actor, NOTHING } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { TIMESTAMP } from './support/form.js'
import { useServer } from './support/server.js'

const h = useServer()

interface ListedThread {
  readonly thread_id: string
  readonly subject: string
}

/** Creates a space with this many threads, each on its own event. */
async function threaded(count: number) {
  const { ada, client, path } = await h.adasSpace()
  const threads: ListedThread[] = []
  for (let n = 0; n < count; n++) {
    const { event_id } = await client.post(`${path}/speech`, { text: `About ${n}` }).expect(200)
    const thread = { parent_event_id: event_id, subject: `Subject ${n}` }
    threads.push(await client.post(`${path}/threads`, thread).expect(200))
  }
  const say = ({ thread_id }: ListedThread, text: string) =>
    client.post(`${path}/speech`, { text, thread_id }).expect(200)
  return { ada, client, path, threads, say }
}

const subjects = (listed: readonly ListedThread[]) =>
  listed.map(({ subject }) => subject.replace('Subject ', '')).join()

describe('GET /api/spaces/{space_id}/threads', () => {
  it('lists threads by newest activity, with their last event', async () => {
    const { client, path, threads, say } = await threaded(3)
    const [first, second] = threads as [ListedThread, ListedThread]
    await say(first, 'one')
    const last = await say(first, `two ${'x'.repeat(300)}`)
    const listed = await client.get(`${path}/threads`).expect(200)
    expect(subjects(listed)).toBe('0,2,1')
    expect(listed[0]).toEqual({
      ...first,
      event_count: 2,
      last_event: {
        event_id: last.event_id,
        speaker_id: last.speaker_id,
        speaker_name: 'Ada',
        speaker_type: 'human',
        posted_by: last.posted_by,
        posted_by_name: 'Ada',
        posted_by_type: 'human',
        timestamp: last.timestamp,
        excerpt: last.text.slice(0, 200),
      },
    })
    expect(listed[1]).toMatchObject({ event_count: 0, last_event: null, created_at: expect.stringMatching(TIMESTAMP) })
    await say(second, 'three')
    expect(subjects(await client.get(`${path}/threads`).expect(200))).toBe('1,0,2')
  })

  it('returns only the thread of the event in event_id', async () => {
    const { ada, client, path, threads } = await threaded(2)
    const [, second] = threads as [ListedThread, ListedThread & { readonly parent_event_id: string }]
    const { event_id } = await client.post(`${path}/speech`, { text: 'No thread' }).expect(200)
    const of = async (id: string, at = path) =>
      subjects(await h.as(ada).get(`${at}/threads?event_id=${id}`).expect(200))
    expect(await of(second.parent_event_id)).toBe('1')
    expect(await of(second.thread_id)).toBe('1')
    for (const id of [event_id, NOTHING, 'nonsense']) expect(await of(id)).toBe('')
    expect(await of(second.thread_id, await h.openSpace(ada))).toBe('')
  })

  it('returns pages without repeats or gaps', async () => {
    const { client, path, threads, say } = await threaded(7)
    // Events of one batch have the same time.
    const events = threads
      .slice(0, 4)
      .map(({ thread_id }) => ({ speaker_id: 'x', speaker_name: 'X', text: 'Hi', thread_id }))
    await client.post(`${path}/events/batch`, { events }).expect(200)
    await say(threads[6] as ListedThread, 'newest')
    const all = await client.get(`${path}/threads?limit=100`).expect(200)
    expect(all).toHaveLength(7)
    expect(all[0].thread_id).toBe(threads[6]?.thread_id)
    const paged: ListedThread[] = []
    for (let page: ListedThread[] = all.slice(0, 0); ; ) {
      const before = paged.at(-1)
      page = await client.get(`${path}/threads?limit=3${before ? `&before=${before.thread_id}` : ''}`).expect(200)
      if (page.length === 0) break
      paged.push(...page)
    }
    expect(paged).toEqual(all)
  })

  it('returns no threads at first, and 404 for an unknown space or cursor', async () => {
    const { client, path } = await h.adasSpace()
    expect(await client.get(`${path}/threads`).expect(200)).toEqual([])
    await client.get('/api/spaces/no-such-space/threads').expect(404, 'Space not found')
    for (const before of [NOTHING, 'x'])
      await client.get(`${path}/threads?before=${before}`).expect(404, 'Thread not found')
    const other = await threaded(1)
    await client.get(`${path}/threads?before=${other.threads[0]?.thread_id}`).expect(404, 'Thread not found')
    for (const limit of ['0', '101', 'x']) await client.get(`${path}/threads?limit=${limit}`).expect(400, /^limit: /)
  })
})

describe('an actor', () => {
  it('has the connection of an agent: installation, adapter and time', async () => {
    const ada: Actor = await h.registerHuman()
    const scout = await h.registerAgent(ada)
    const mine = async () => (await h.as(ada).get('/api/actors/me/agents').expect(200))[0].connection
    expect(await mine()).toBeNull()
    expect((await h.as(ada).get('/api/actors/me').expect(200)).connection).toBeNull()
    const connect = { installation_id: 'laptop', agent_adapter: 'mcp' }
    const { connected_at } = await h.as(scout).post(`/api/actors/${scout.actor_id}/connect`, connect).expect(200)
    expect(await mine()).toEqual({ ...connect, connected_at })
    await h.as(ada).post(`/api/actors/${scout.actor_id}/release`).expect(200)
    expect(await mine()).toBeNull()
  })
})
