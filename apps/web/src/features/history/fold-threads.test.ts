import type { Event } from '@collab-spaces/client'
import { describe, expect, it } from 'vitest'
import { foldThreads } from './fold-threads'
import { representsEvent } from './row-events'
import { rowsOf } from './rows'

const event = (id: string, threadId: string | null = null, change: Partial<Event> = {}): Event => ({
  event_id: id,
  space_id: 'plans',
  speaker_id: 'ada',
  speaker_name: 'Ada',
  speaker_type: 'human',
  text: id,
  timestamp: '2026-01-05T09:00:00.000Z',
  parent_event_id: threadId && `about-${threadId}`,
  references: [],
  thread_id: threadId,
  metadata: null,
  posted_by: 'ada',
  posted_by_name: 'Ada',
  posted_by_type: 'human',
  ...change,
})

function rows(events: readonly Event[], unreadAfter: string | null = null) {
  const actorId = 'grace'
  return foldThreads(rowsOf({ events, outgoing: [], isAtTail: true, unreadAfter, actorId }), { actorId })
}

describe('replies in threads', () => {
  it('are one row if adjacent', () => {
    const [first, thread, last] = rows([event('about-t'), event('b', 't'), event('c', 't'), event('d')])
    expect(first).toMatchObject({ kind: 'event', replies: 2 })
    expect(thread).toMatchObject({
      kind: 'thread',
      key: 'b',
      total: 2,
      isWhole: true,
      continuesLater: false,
      unread: 0,
    })
    expect(last).toMatchObject({ kind: 'event', isContinued: false })
  })

  it('start another row after another message, so that no row moves', () => {
    const events = [event('a', 't'), event('b'), event('c', 't'), event('d', 'u')]
    expect(rows(events.slice(0, 2)).map(({ key }) => key)).toEqual(['a', 'b'])
    expect(rows(events)).toMatchObject([
      { kind: 'thread', key: 'a', total: 1, continuesLater: true, isWhole: false },
      { kind: 'event', key: 'b' },
      { kind: 'thread', key: 'c', total: 2, continuesLater: false },
      { kind: 'thread', key: 'd', total: 1 },
    ])
  })

  it('start another row on another day', () => {
    const later = { timestamp: '2026-01-09T09:00:00.000Z' }
    expect(rows([event('a', 't'), event('b', 't', later)])).toMatchObject([
      { key: 'a', startsDay: true },
      { key: 'b', startsDay: true },
    ])
  })

  it('count unread replies by other posters', () => {
    const mine = { posted_by: 'grace' }
    const events = [event('a'), event('b', 't'), event('c', 't'), event('d', 't', mine), event('e', 't')]
    expect(rows(events, 'b')[1]).toMatchObject({ isFirstUnread: true, unread: 2 })
    expect(rows(events, 'e')[1]).toMatchObject({ isFirstUnread: false, unread: 0 })
  })

  it('are found in their row', () => {
    const [thread] = rows([event('a', 't'), event('b', 't')])
    expect(thread && [representsEvent(thread, 'b'), representsEvent(thread, 'c')]).toEqual([true, false])
  })

  it('keep their row object while it is unchanged', () => {
    const events = [event('a', 't'), event('b', 't')]
    expect(rows([...events, event('c')])[0]).toBe(rows(events)[0])
    expect(rows([...events, event('c', 't')])[0]).not.toBe(rows(events)[0])
  })
})
