import { DEFAULT_TENANT, DomainError } from '@collab-spaces/domain'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Outage } from '../src/connection/outage.js'
import type { DatabasePool } from '../src/connection/pool.js'
import { timeoutsOf } from '../src/connection/timeouts.js'
import type { Append } from '../src/log/append-statement.js'
import { EventLog } from '../src/log/event-log.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const append = (eventId: string, spaceId = 'plans'): Append => ({
  tenant_id: DEFAULT_TENANT,
  space_id: spaceId,
  event_id: eventId,
  speaker_id: 'ada',
  thread_id: null,
  parent_event_id: null,
  posted_by: 'ada',
  by_agent: false,
  by_guest: false,
  in_conversation: undefined,
  revises: undefined,
  is_retraction: undefined,
  file_ids: undefined,
  decision_id: undefined,
  subject: undefined,
  mentions: [],
  words: '',
  pieces: null,
  claim_id: undefined,
  fence: undefined,
  idempotency_key: undefined,
  request_hash: undefined,
  before_timestamp: '"',
  after_timestamp: '"',
})

/** Creates a database that answers or loses the connection only when a test says so. */
function slowDatabase() {
  const sent: { readonly eventIds: string[]; answer(): void; fallSilent(): void }[] = []
  const outage = new Outage(timeoutsOf().briefMs)
  const query = ({ values: [items] }: { values: [string] }) =>
    new Promise((resolve, reject) => {
      const appends: { event_id: string }[] = JSON.parse(items)
      const rows = appends.map((_, index) => ({ item: index + 1, outcome: 'accepted', position: 1, timestamp: 'now' }))
      sent.push({
        eventIds: appends.map(({ event_id }) => event_id),
        answer: () => resolve({ rows }),
        fallSilent: () => {
          outage.found()
          reject(new Error('Connection terminated unexpectedly'))
        },
      })
    })
  return { pool: { query, outage } as unknown as DatabasePool, sent }
}

it('refuses appends that wait two seconds for a stuck database, and never writes them', async () => {
  const { pool, sent } = slowDatabase()
  const log = new EventLog({ requests: pool, long: pool }, ['active'], timeoutsOf(), () => {})
  const first = log.append(append('1'))
  await vi.advanceTimersByTimeAsync(1)
  const second = log.append(append('2', 'ideas'))
  await vi.advanceTimersByTimeAsync(1)
  const refused = ['3', '4'].map((id) => log.append(append(id)).catch((error: unknown) => error))
  await vi.advanceTimersByTimeAsync(1_900)
  const late = log.append(append('5'))
  await vi.advanceTimersByTimeAsync(700)
  for (const error of await Promise.all(refused)) {
    expect(error).toBeInstanceOf(DomainError)
    expect((error as DomainError).kind).toBe('unavailable')
  }
  for (const { answer } of sent) answer()
  expect(await Promise.all([first, second])).toMatchObject([{ kind: 'accepted' }, { kind: 'accepted' }])
  await vi.advanceTimersByTimeAsync(1)
  sent.at(-1)?.answer()
  expect(await late).toMatchObject({ kind: 'accepted' })
  expect(sent.map(({ eventIds }) => eventIds)).toEqual([['1'], ['2'], ['5']])
})

it('refuses appends that waited behind a lost statement, and writes those that have just arrived', async () => {
  const { pool, sent } = slowDatabase()
  const log = new EventLog({ requests: pool, long: pool }, ['active'], timeoutsOf(), () => {})
  const outcomeOf = (id: string) => log.append(append(id)).catch((error: unknown) => error)
  const first = outcomeOf('1')
  await vi.advanceTimersByTimeAsync(1)
  const behind = outcomeOf('2')
  await vi.advanceTimersByTimeAsync(1_000)
  const fresh = outcomeOf('3')
  await vi.advanceTimersByTimeAsync(1)
  sent[0]?.fallSilent()
  expect(await first).toMatchObject({ message: 'Connection terminated unexpectedly' })
  await vi.advanceTimersByTimeAsync(1)
  expect(await behind).toMatchObject({ kind: 'unavailable' })
  sent.at(-1)?.answer()
  expect(await fresh).toMatchObject({ kind: 'accepted' })
  expect(sent.map(({ eventIds }) => eventIds)).toEqual([['1'], ['3']])
})
