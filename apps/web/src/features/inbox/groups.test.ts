import type { Event } from '@collab-spaces/client'
import { describe, expect, it } from 'vitest'
import type { Inbox } from '../../shared/query/inbox'
import { type Entry, entriesOf, groupsOf, isIn, nextAfter } from './groups'

const item = (event_id: string, space_id: string, thread_id: string | null = null, kind = 'mention') => ({
  space_id,
  event: { event_id, space_id, thread_id, timestamp: '2026-01-05T09:00:00.000Z' } as Event,
  kinds: [kind],
  from_human: true,
})

const inbox = (change: object) =>
  ({ items: [], decisions: [], notices: [], done: { through: [], notices: [] }, ...change }) as unknown as Inbox
const keys = (entries: readonly Entry[]) => entries.map(({ key }) => key)

describe('inbox entries', () => {
  const all = entriesOf(
    inbox({
      items: [
        item('a', 'plans'),
        item('b', 'plans', 't', 'thread'),
        item('c', 'old'),
        item('d', 'plans', 't', 'reply'),
        item('e', 'conversation-1', null, 'direct'),
      ],
      decisions: [{ decision_id: 'decide', space_id: 'old' }],
      notices: [{ notice_id: 'own', space_id: null, details: {} }],
    }),
  )

  it('are grouped by space, decisions first, then oldest first', () => {
    expect(keys(all)).toEqual(['decide', 'c', 'own', 'a', 'b', 'd', 'e'])
  })

  it('count the earlier entries that are done with them', () => {
    expect(all.map((entry) => (entry.kind === 'item' ? entry.earlierCount : null))).toEqual([null, 0, null, 0, 1, 2, 0])
  })

  it('are grouped by thread', () => {
    expect(groupsOf(all).map(({ startsSpace, threadId, entries }) => [startsSpace, threadId, keys(entries)])).toEqual([
      [true, null, ['decide', 'c']],
      [true, null, ['own']],
      [true, null, ['a']],
      [false, 't', ['b', 'd']],
      [true, null, ['e']],
    ])
  })

  it.each([
    ['all', 7],
    ['mention', 2],
    ['reply', 1],
    ['thread', 1],
    ['direct', 1],
    ['decision', 1],
    ['notice', 1],
  ] as const)('are filtered by kind: %s', (tab, count) => {
    expect(all.filter((entry) => isIn(tab, entry))).toHaveLength(count)
  })

  it('are selected in order after one is done, or else the last remaining one', () => {
    const at = (key: string) => all.find((entry) => entry.key === key) as Entry
    expect(nextAfter(all, at('a'))).toBe(at('b'))
    expect(nextAfter(all, at('d'))).toBe(at('e'))
    expect(nextAfter(all.slice(0, -1), at('d'))).toBe(at('own'))
    expect(nextAfter([at('b')], at('b'))).toBeNull()
  })
})
