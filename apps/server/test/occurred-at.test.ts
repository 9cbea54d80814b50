import { checkDatabase } from '@collab-spaces/operator'
import { type Actor, type Client, spaceIdOf } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { operatorOf } from './support/operator.js'
import { useServer } from './support/server.js'

const h = useServer()
const operate = operatorOf(h)

const LONG_AGO = '2024-02-29T23:59:59.999Z'
const DEFAULT_SCOPE = '00000000-0000-4000-8000-000000000000'

let ada: Actor
let client: Client
let path: string

beforeAll(async () => {
  ada = await h.registerHuman('Ada')
  path = await h.openSpace(ada)
  client = h.as(ada)
})

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

describe.each([
  ['speech', {}],
  ['response', {}],
  ['events', { speaker_id: 'bridge', speaker_name: 'Bridge' }],
])('POST …/%s', (operation, speaker) => {
  const write = (more: object) => client.post(`${path}/${operation}`, { text: 'Once', ...speaker, ...more })

  it('stores occurred_at in UTC beside the timestamp of the order', async () => {
    const event = await write({ occurred_at: '2024-03-01T01:59:59.9999+02:00' }).expect(200)
    expect(event.occurred_at).toBe(LONG_AGO)
    expect(event.timestamp > hoursAgo(1)).toBe(true)
    expect(await client.get(`${path}/events/${event.event_id}`).expect(200)).toEqual(event)
    expect((await client.get(`${path}/transcript`).expect(200)).at(-1)).toEqual(event)
  })

  it('omits occurred_at from events without it', async () => {
    expect(await write({ occurred_at: null }).expect(200)).not.toHaveProperty('occurred_at')
    expect(await write({}).expect(200)).not.toHaveProperty('occurred_at')
  })

  it.each([hoursAgo(-1), '1969-12-31', '2024-02-30', 'yesterday', 7, ''])('refuses %s', async (occurred_at) => {
    await write({ occurred_at }).expect(400, /^occurred_at: must/)
  })

  it('accepts the same time in another format as a retry, and refuses another time', async () => {
    const headers = { 'Idempotency-Key': `once by ${operation}` }
    const keyed = (occurred_at: string) =>
      client.post(`${path}/${operation}`, { text: 'Once', ...speaker, occurred_at }, { headers })
    const event = await keyed(LONG_AGO).expect(200)
    expect(await keyed('2024-02-29 23:59:59.999').expect(200)).toEqual(event)
    await keyed('2024-02-29').expect(409, /^Idempotency-Key/)
  })
})

it('a batch accepts occurred_at, and its errors name the event', async () => {
  const events = [LONG_AGO, undefined].map((occurred_at) => ({
    text: 'Once',
    speaker_id: 'bridge',
    speaker_name: 'Bridge',
    occurred_at,
  }))
  const stored = await client.post(`${path}/events/batch`, { events }).expect(200)
  expect(stored.map((event: object) => 'occurred_at' in event)).toEqual([true, false])
  const ahead = [...events, { ...events[0], occurred_at: hoursAgo(-1) }]
  await client
    .post(`${path}/events/batch`, { events: ahead })
    .expect(400, 'events.2.occurred_at: must not be in the future')
  await client
    .post('/api/events/check', { events: ahead })
    .expect(400, 'events.2.occurred_at: must not be in the future')
})

describe('a history of earlier events', () => {
  let place: string
  let spaceId: string

  beforeAll(async () => {
    place = await h.openSpace(ada)
    spaceId = spaceIdOf(place)
    for (const [speaker, hours] of [
      ['grace', 9_000],
      ['grace', 5],
      ['linus', 3],
      ['linus', 0.5],
    ] as const) {
      const text = `The decision of ${speaker} was made about the harbour ${hours} hours ago.`
      const body = { text, speaker_id: speaker, speaker_name: speaker, occurred_at: hoursAgo(hours) }
      await client.post(`${place}/events`, body).expect(200)
    }
    await client.post(`${place}/speech`, { text: 'Now' }).expect(200)
  })

  const digest = async (by: string, hours: number, more = '') => {
    const { participants } = await client.get(`${place}/activity?by=${by}&since=${hoursAgo(hours)}${more}`).expect(200)
    return participants
  }
  const counts = async (by: string, hours: number) =>
    Object.fromEntries(
      (await digest(by, hours)).map((one: { participant_id: string; event_count: number }) => [
        one.participant_id,
        one.event_count,
      ]),
    )

  it('is counted by the requested kind of time', async () => {
    expect(await counts('timestamp', 6)).toEqual({ grace: 2, linus: 2, [ada.actor_id]: 1 })
    expect(await counts('occurred_at', 6)).toEqual({ grace: 1, linus: 2, [ada.actor_id]: 1 })
    expect(await counts('occurred_at', 4)).toEqual({ linus: 2, [ada.actor_id]: 1 })
    await client.get(`${place}/activity?by=size`).expect(400, 'by: must be one of timestamp, occurred_at')
  })

  it('has its times in the digest and its buckets', async () => {
    const linus = (await digest('occurred_at', 3.5, '&buckets=4')).find(
      (one: { participant_id: string }) => one.participant_id === 'linus',
    )
    expect(linus.buckets).toEqual([1, 0, 0, 1])
    expect(linus.last_event_at).toBe(linus.events.at(-1).occurred_at)
  })

  it('has its times in summaries and contexts', async () => {
    const events = await client.get(`${place}/transcript`).expect(200)
    const { summary_text } = await client.get(`${place}/summary?end=${hoursAgo(-1)}`).expect(200)
    expect(summary_text).toContain(`from ${events[0].occurred_at} to ${events.at(-1).timestamp}`)
    const { text } = await client.get(`${place}/context`).expect(200)
    for (const { occurred_at, timestamp } of events) expect(text).toContain(`at="${occurred_at ?? timestamp}"`)
  })

  it('keeps the time of a redacted event, and passes the check', async () => {
    const [first] = await client.get(`${place}/transcript`).expect(200)
    const flags = ['--by', 'Ada', '--reason', 'Article 17', '--yes']
    await operate('event', 'redact', DEFAULT_SCOPE, spaceId, first.event_id, ...flags)
    const redacted = await client.get(`${place}/events/${first.event_id}`).expect(200)
    expect(redacted).toMatchObject({ text: '[redacted]', occurred_at: first.occurred_at, timestamp: first.timestamp })
    expect(await counts('occurred_at', 10_000)).toEqual({ '[redacted]': 1, grace: 1, linus: 2, [ada.actor_id]: 1 })
    const problems: unknown[] = []
    await checkDatabase(
      h.connection,
      null,
      (problem) => problems.push(problem),
      () => {},
      new AbortController().signal,
    )
    expect(problems).toEqual([])
  })
})
