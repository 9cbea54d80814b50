import { expect, it } from 'vitest'
import { sectionsOf, shownUnread } from './sections'

const space = (name: string, unread_count: number, pinned = false, notices: 'mentions' | 'none' = 'mentions') => ({
  name,
  unread_count,
  preferences: { pinned, notices },
})

it('sorts spaces into sections, and omits empty ones', () => {
  const spaces = [
    space('muted', 3, false, 'none'),
    space('read', 0),
    space('unread', 2),
    space('pinned and muted', 1, true, 'none'),
    space('also unread', 1),
  ]
  expect(sectionsOf(spaces).map(({ name, spaces }) => [name, spaces.map(({ name }) => name)])).toEqual([
    ['pinned', ['pinned and muted']],
    ['unread', ['unread', 'also unread']],
    ['others', ['read']],
    ['muted', ['muted']],
  ])
  expect(sectionsOf([space('read', 0)]).map(({ name }) => name)).toEqual(['others'])
})

it('shows no unread count of a muted space', () => {
  expect(shownUnread(space('muted', 3, false, 'none'))).toBe(0)
  expect(shownUnread(space('unread', 3))).toBe(3)
})
