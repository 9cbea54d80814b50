import type { Event } from '@collab-spaces/client'
import { describe, expect, it } from 'vitest'
import { foldTranscripts } from './fold-transcripts'
import { eventsOf, representsEvent } from './row-events'
import { rowsOf } from './rows'

const event = (id: string, change: Partial<Event> = {}): Event => ({
  event_id: id,
  space_id: 'plans',
  speaker_id: 'ada',
  speaker_name: 'Ada',
  speaker_type: 'human',
  text: id,
  timestamp: '2026-01-05T09:00:00.000Z',
  parent_event_id: null,
  references: [],
  thread_id: null,
  metadata: null,
  posted_by: 'ada',
  posted_by_name: 'Ada',
  posted_by_type: 'human',
  ...change,
})

const lines = (count: number, change: Partial<Event> = {}, name = 'line') =>
  Array.from({ length: count }, (_, n) => event(`${name} ${n}`, { speaker_type: 'transcript', ...change }))

function fold(events: readonly Event[], { opened = [] as string[], unreadAfter = null as string | null } = {}) {
  const actorId = 'grace'
  const rows = rowsOf({ events, outgoing: [], isAtTail: true, unreadAfter, actorId })
  return foldTranscripts(rows, { actorId, opened: new Set(opened) })
}

describe('the lines of a transcript', () => {
  it('are one row if many are adjacent', () => {
    const rows = fold([event('a'), ...lines(5), event('b')])
    expect(rows.map(({ kind }) => kind)).toEqual(['event', 'transcript', 'event'])
    expect(rows[1] && eventsOf(rows[1])).toHaveLength(5)
    expect(
      rows[1] && [representsEvent(rows[1], 'line 4'), representsEvent(rows[1], 'b'), representsEvent(rows[1], null)],
    ).toEqual([true, false, false])
  })

  it('are not folded if few, or in a thread', () => {
    for (const events of [lines(4), lines(9, { thread_id: 't' })]) {
      expect(fold(events).map(({ kind }) => kind)).toEqual(events.map(() => 'event'))
    }
  })

  it('by another poster are another row', () => {
    const scout = { posted_by: 'scout', posted_by_name: 'Scout', posted_by_type: 'agent' as const }
    expect(fold([...lines(5), ...lines(6, scout, 'other')])).toMatchObject([
      { kind: 'transcript', key: 'transcript-line 0' },
      { kind: 'transcript', key: 'transcript-other 0' },
    ])
  })

  it('start another row if unread, which counts them', () => {
    expect(fold(lines(12), { unreadAfter: 'line 4' })).toMatchObject([
      { kind: 'transcript', isFirstUnread: false, unread: 0 },
      { kind: 'transcript', isFirstUnread: true, unread: 7 },
    ])
  })

  it('follow their open row, which has the day', () => {
    const [head, first, ...rest] = fold(lines(5), { opened: ['line 3'] })
    expect(head).toMatchObject({ kind: 'transcript', isOpen: true, startsDay: true })
    expect(first).toMatchObject({ kind: 'event', key: 'line 0', startsDay: false })
    expect(rest).toHaveLength(4)
    expect(head && eventsOf(head)).toEqual([])
  })

  it('keep their row object while it is unchanged', () => {
    const transcript = lines(6)
    expect(fold([...transcript, event('x')])[0]).toBe(fold(transcript)[0])
    expect(fold([...transcript, ...lines(1, {}, 'more')])[0]).not.toBe(fold(transcript)[0])
  })
})
