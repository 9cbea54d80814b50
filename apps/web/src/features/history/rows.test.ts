import type { Event } from '@collab-spaces/client'
import { describe, expect, it } from 'vitest'
import type { Outgoing } from '../composer/outbox'
import { rowsOf, undelivered } from './rows'

const at = (minute: number) => new Date(Date.UTC(2026, 0, 5, 9, minute)).toISOString()

const event = (id: string, change: Partial<Event> = {}): Event => ({
  event_id: id,
  space_id: 'plans',
  speaker_id: 'ada',
  speaker_name: 'Ada',
  speaker_type: 'human',
  text: id,
  timestamp: at(0),
  parent_event_id: null,
  references: [],
  thread_id: null,
  metadata: null,
  posted_by: 'ada',
  posted_by_name: 'Ada',
  posted_by_type: 'human',
  ...change,
})

const outgoing = (change: Partial<Outgoing> = {}): Outgoing => ({
  key: 'k',
  text: 'hello',
  parentEventId: null,
  threadId: null,
  mentions: [],
  sentAt: at(1),
  state: 'sending',
  eventId: null,
  failure: null,
  ...change,
})

const rows = (events: readonly Event[], unreadAfter: string | null = null) =>
  rowsOf({ events, outgoing: [], isAtTail: true, unreadAfter, actorId: 'grace' })

describe('the rows of a history', () => {
  it.each([
    ['the same speaker just after', {}, true],
    ['another speaker', { speaker_id: 'grace' }, false],
    ['the same speaker, another poster', { posted_by: 'scout' }, false],
    ['another name', { speaker_name: 'Ada L.' }, false],
    ['another kind of speaker', { speaker_type: 'system' }, false],
    ['the same poster, renamed', { posted_by_name: 'Ada L.' }, false],
    ['an agent with the same name', { posted_by_type: 'agent' as const }, false],
    ['ten minutes later', { timestamp: at(10) }, false],
    ['another day', { timestamp: '2026-01-07T09:00:00.000Z' }, false],
    ['a reply', { parent_event_id: 'z' }, false],
    ['in a thread', { thread_id: 't' }, false],
  ])('continue the line above or not: %s', (_, change, expected) => {
    expect(rows([event('a'), event('b', change)])[1]).toMatchObject({ isContinued: expected })
  })

  it('mark the first unread', () => {
    expect(
      rows([event('a'), event('b'), event('c')], 'a').map((row) => row.kind === 'event' && row.isFirstUnread),
    ).toEqual([false, true, false])
  })

  it('mark no own event as unread', () => {
    const own = event('b', { posted_by: 'grace' })
    expect(rows([event('a'), own], 'a')[1]).toMatchObject({ isFirstUnread: false })
    expect(rows([event('a'), own, event('c')], 'a')[2]).toMatchObject({ isFirstUnread: true })
  })

  it('count the replies in the thread of an event', () => {
    const reply = { thread_id: 't', parent_event_id: 'a' }
    expect(rows([event('a'), event('b', reply), event('c', reply)])[0]).toMatchObject({ replies: 2 })
  })
})

describe('a row', () => {
  it('is the same object while other rows are added, and changes with its content', () => {
    const [a, b, c] = [event('a'), event('b'), event('c')]
    const [, first] = rows([a, b])
    expect(rows([a, b, c])[1]).toBe(first)
    expect(rows([b, c])[0]).toMatchObject({ startsDay: true, isContinued: false })
    expect(rows([a, b], 'a')[1]).toMatchObject({ isFirstUnread: true })
    const reply = event('d', { thread_id: 't', parent_event_id: 'b' })
    expect(rows([a, b, reply])[1]).toMatchObject({ replies: 1, isContinued: true })
  })
})

describe('outgoing messages', () => {
  it('are at the end until their event arrives', () => {
    const one = outgoing({ state: 'sent', eventId: 'x' })
    expect(undelivered([one], [event('a')], 'ada')).toEqual([one])
    expect(undelivered([one], [event('x')], 'ada')).toEqual([])
  })

  it('have arrived if their poster has posted the same text since, in any order', () => {
    const one = outgoing()
    expect(undelivered([one], [event('x', { text: 'hello', timestamp: at(1) })], 'ada')).toEqual([])
    expect(undelivered([one], [event('x', { text: 'hello', timestamp: at(0) })], 'ada')).toEqual([one])
    expect(undelivered([one], [event('x', { text: 'hello', timestamp: at(1), posted_by: 'grace' })], 'ada')).toEqual([
      one,
    ])
  })

  it('stay if they failed', () => {
    const one = outgoing({ state: 'failed' })
    expect(undelivered([one], [event('x', { text: 'hello', timestamp: at(1) })], 'ada')).toEqual([one])
  })

  it('are two if the same text is sent twice', () => {
    const both = [outgoing({ key: '1' }), outgoing({ key: '2' })]
    expect(undelivered(both, [event('x', { text: 'hello', timestamp: at(1) })], 'ada')).toHaveLength(1)
  })
})

describe('imported events', () => {
  it('are in the days in which they happened, in the order of the log', () => {
    const then = (id: string, occurred_at: string) => event(id, { occurred_at })
    const found = rows([
      then('a', '2024-02-28T12:00:00.000Z'),
      then('b', '2024-02-29T12:00:00.000Z'),
      then('c', '2024-02-29T12:01:00.000Z'),
      event('d'),
    ])
    expect(found.map((row) => row.kind === 'event' && [row.key, row.startsDay, row.isContinued])).toEqual([
      ['a', true, false],
      ['b', true, false],
      ['c', false, true],
      ['d', true, false],
    ])
  })
})
