import { type Actor, spaceIdOf } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { fillSpace } from './support/history.js'
import { useServer } from './support/server.js'

const h = useServer()

const join = (actor: Actor, path: string) => h.as(actor).post(`${path}/join`).expect(200)
const say = (actor: Actor, path: string, text: string, as: object = {}) =>
  h
    .as(actor)
    .post(`${path}/speech`, { text, ...as })
    .expect(200)
const activity = (actor: Actor, path: string, query = '') => h.as(actor).get(`${path}/activity${query}`).expect(200)

describe('GET /api/spaces/{space_id}/activity', () => {
  it('lists at most 1,000 speakers that never joined, besides all participants', async () => {
    const { ada, path } = await h.adasSpace()
    await join(ada, path)
    await say(ada, path, 'the first of all')
    for (let batch = 0; batch < 11; batch++) {
      const events = Array.from({ length: 100 }, (_, n) => ({
        text: 'x',
        speaker_id: `guest ${batch * 100 + n}`,
        speaker_name: 'Guest',
      }))
      await h.as(ada).post(`${path}/events/batch`, { events }).expect(200)
    }
    const { participants } = await activity(ada, path, '?max_events=1')
    const ids: string[] = participants.map(({ participant_id }: { participant_id: string }) => participant_id)
    expect(ids).toHaveLength(1_001)
    expect(ids[0]).toBe(ada.actor_id)
    expect(ids).not.toContain('guest 99')
    expect(ids).toContain('guest 1099')
  })

  it('lists every participant in the order of joining, silent ones too', async () => {
    const { ada, path } = await h.adasSpace()
    const [bob, scout] = [await h.registerHuman('Bob'), await h.registerAgent(ada)]
    for (const actor of [bob, scout, ada]) await join(actor, path)
    const event = await say(ada, path, 'hello')
    const digest = await activity(ada, path)
    expect(digest).toEqual({
      space_id: spaceIdOf(path),
      since: expect.any(String),
      participants: [
        { participant_id: bob.actor_id, name: 'Bob', participant_type: 'human', ...SILENT },
        { participant_id: scout.actor_id, name: 'Scout', participant_type: 'agent', ...SILENT },
        {
          participant_id: ada.actor_id,
          is_claimed: false,
          name: 'Ada',
          participant_type: 'human',
          event_count: 1,
          last_event_at: event.timestamp,
          events: [event],
        },
      ],
    })
  })

  it('lists speakers that never joined after the participants, under their latest name', async () => {
    const { ada, path } = await h.adasSpace()
    await join(ada, path)
    const first = await h
      .as(ada)
      .post(`${path}/events`, { speaker_id: 'meet', speaker_name: 'Old', speaker_type: 'transcript', text: '1' })
      .expect(200)
    const second = await h
      .as(ada)
      .post(`${path}/events`, { speaker_id: 'meet', speaker_name: 'New', speaker_type: 'system', text: '2' })
      .expect(200)
    const { participants } = await activity(ada, path)
    expect(participants).toEqual([
      { participant_id: ada.actor_id, name: 'Ada', participant_type: 'human', ...SILENT },
      {
        participant_id: 'meet',
        name: 'New',
        participant_type: 'system',
        is_claimed: true,
        event_count: 2,
        last_event_at: second.timestamp,
        events: [first, second],
      },
    ])
  })

  it('counts an event for its speaker_id, also when another actor sent it', async () => {
    const { ada, path } = await h.adasSpace()
    const bob = await h.registerHuman('Bob')
    await join(ada, path)
    await join(bob, path)
    await say(ada, path, 'for Bob', { speaker_id: bob.actor_id, speaker_name: 'B.' })
    const { participants } = await activity(ada, path)
    expect(participants.map(({ name, event_count }: NamedActivity) => [name, event_count])).toEqual([
      ['Ada', 0],
      ['Bob', 1],
    ])
  })

  it('shows the newest max_events of each participant in ascending order, and counts all', async () => {
    const { ada, path } = await h.adasSpace()
    for (let n = 1; n <= 7; n++) await say(ada, path, `${n}`)
    const shown = async (query: string) => {
      const [speaker] = (await activity(ada, path, query)).participants
      return [speaker.event_count, ...speaker.events.map(({ text }: { text: string }) => text)]
    }
    expect(await shown('')).toEqual([7, '3', '4', '5', '6', '7'])
    expect(await shown('?max_events=1')).toEqual([7, '7'])
    expect(await shown('?max_events=20')).toEqual([7, '1', '2', '3', '4', '5', '6', '7'])
  })

  it('starts an hour ago by default, and includes an event at the moment since', async () => {
    const { ada, path } = await h.adasSpace()
    // One every 601 seconds: the last six are within the hour.
    await fillSpace(h.connection, path, ada, { count: 20, text: (n) => `said ${n}`, every: 601 })
    const before = Date.now() - 3_600_000
    const digest = await activity(ada, path)
    expect(Date.parse(digest.since)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(digest.since)).toBeLessThanOrEqual(Date.now() - 3_600_000)
    expect(digest.participants[0].event_count).toBe(6)

    const events = await h.as(ada).get(`${path}/events`).expect(200)
    const since = events[4].timestamp
    const inclusive = await activity(ada, path, `?since=${since}`)
    expect(inclusive.since).toBe(since)
    expect(inclusive.participants[0].event_count).toBe(16)
    const after = new Date(Date.parse(since) + 1).toISOString()
    expect((await activity(ada, path, `?since=${after}`)).participants[0].event_count).toBe(15)
    expect((await activity(ada, path, '?since=1970-01-01')).participants[0].event_count).toBe(20)
    expect((await activity(ada, path, '?since=2100-01-01')).participants).toEqual([])
  })

  it('counts the events of each participant in as many equal buckets as requested', async () => {
    const { ada, path } = await h.adasSpace()
    await join(ada, path)
    const bob = await h.registerHuman('Bob')
    await join(bob, path)
    // 20,000 in 20 hours, the last one now.
    await fillSpace(h.connection, path, ada, { count: 20_000, text: (n) => `said ${n}`, every: 3.6 })
    const since = new Date(Date.now() - 40 * 3_600_000).toISOString()
    const { participants } = await activity(ada, path, `?since=${since}&buckets=40&max_events=1`)
    const [ofAda, ofBob] = participants.map(({ buckets }: { buckets: number[] }) => buckets)
    expect(ofAda).toHaveLength(40)
    expect(ofAda.reduce((sum: number, count: number) => sum + count, 0)).toBe(20_000)
    expect(ofAda.slice(0, 19)).toEqual(Array(19).fill(0))
    for (const count of ofAda.slice(21)) expect(Math.abs(count - 1_000)).toBeLessThan(20)
    expect(ofBob).toEqual(Array(40).fill(0))
    const later = await activity(ada, path, '?since=2100-01-01&buckets=2')
    expect(later.participants[0].buckets).toEqual([0, 0])
  })

  it('is empty in a space without participants and events', async () => {
    const { ada, path } = await h.adasSpace()
    expect((await activity(ada, path)).participants).toEqual([])
  })

  it('keeps the events of a deleted actor, like those of a speaker that never joined', async () => {
    const { ada, path } = await h.adasSpace()
    const bob = await h.registerHuman('Bob')
    await join(bob, path)
    await say(bob, path, 'bye')
    await h.as(bob).delete(`/api/actors/${bob.actor_id}`).expect(200)
    const { participants } = await activity(ada, path)
    expect(participants).toMatchObject([{ participant_id: bob.actor_id, name: 'Bob', event_count: 1 }])
  })

  it.each([
    'max_events=0',
    'max_events=21',
    'max_events=x',
    'max_events=1.0',
    'buckets=0',
    'buckets=201',
    'since=yesterday',
    'since=1969-12-31',
  ])('returns 400 for %s', async (query) => {
    const { ada, path } = await h.adasSpace()
    await h
      .as(ada)
      .get(`${path}/activity?${query}`)
      .expect(400, new RegExp(`^${query.split('=')[0]}: `))
  })
})

const SILENT = { is_claimed: false, event_count: 0, last_event_at: null, events: [] }

interface NamedActivity {
  readonly name: string
  readonly event_count: number
}
