import { DEFAULT_SCOPE, DomainError } from '@collab-spaces/domain'
import type pg from 'pg'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Append } from '../src/log/append.js'
import { BatchCommit } from '../src/log/batch.js'
import { GroupCommit } from '../src/log/group.js'
import { patienceOf } from '../src/patience.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const append = (eventId: string, spaceId = 'plans'): Append => ({
  scope: DEFAULT_SCOPE,
  spaceId,
  eventId,
  speakerId: 'ada',
  threadId: null,
  parentEventId: null,
  postedBy: 'ada',
  isByAgent: false,
  mentions: [],
  words: '',
  pieces: null,
  idempotency: null,
  template: { version: 1, beforeTimestamp: '"', afterTimestamp: '"' },
})

/** A database that takes what it is sent and answers when it is told to. */
function slowDatabase() {
  const sent: { readonly eventIds: string[]; answer(): void }[] = []
  const query = ({ values: [items] }: { values: [string] }) =>
    new Promise((resolve) => {
      const asked: { item: number; event_id: string }[] = JSON.parse(items)
      const rows = asked.map(({ item }) => ({ item, outcome: 'accepted', position: 1, timestamp: 'now' }))
      sent.push({ eventIds: asked.map(({ event_id }) => event_id), answer: () => resolve({ rows }) })
    })
  return { pool: { query } as unknown as pg.Pool, sent }
}

it('refuses what waits for two seconds behind a database that is stuck, and writes none of it later', async () => {
  const { pool, sent } = slowDatabase()
  const log = new GroupCommit(pool, ['active'], () => {}, patienceOf())
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

it('refuses a batch that waits for its turn for two seconds, writes it never, and takes the next in their order', async () => {
  const { pool, sent } = slowDatabase()
  const log = new BatchCommit(pool, ['active'], () => {}, patienceOf())
  const inFlight = ['1', '2'].map((id) => log.append([append(id)]))
  const refused = ['3', '4'].map((id) => log.append([append(id)]).catch((error: unknown) => error))
  await vi.advanceTimersByTimeAsync(1_900)
  const late = ['5', '6'].map((id) => log.append([append(id), append(`${id}, too`)]))
  await vi.advanceTimersByTimeAsync(200)
  for (const error of await Promise.all(refused)) expect(error).toMatchObject({ kind: 'unavailable' })
  expect(sent.map(({ eventIds }) => eventIds)).toEqual([['1'], ['2']])
  for (const { answer } of sent) answer()
  expect(await Promise.all(inFlight)).toMatchObject([{ kind: 'taken' }, { kind: 'taken' }])
  await vi.advanceTimersByTimeAsync(1)
  for (const { answer } of sent) answer()
  expect(await Promise.all(late)).toMatchObject([{ kind: 'taken' }, { kind: 'taken' }])
  expect(sent.slice(2).map(({ eventIds }) => eventIds)).toEqual([
    ['5', '5, too'],
    ['6', '6, too'],
  ])
})
