import { expect, it } from 'vitest'
import { inHeldOrder, orderOf, sectionsOf, shownUnread } from './sections'

const space = (name: string, unread_count: number, pinned = false, notices: 'mentions' | 'none' = 'mentions') => ({
  name,
  space_id: name,
  unread_count,
  status: 'active' as const,
  preferences: { pinned, notices },
})
const archived = { ...space('archived', 4), status: 'archived' as const }

it('sorts spaces into sections, and omits empty ones', () => {
  const spaces = [
    space('muted', 3, false, 'none'),
    space('read', 0),
    space('unread', 2),
    space('pinned and muted', 1, true, 'none'),
    space('also unread', 1),
    archived,
  ]
  expect(sectionsOf(spaces).map(({ name, spaces }) => [name, spaces.map(({ name }) => name)])).toEqual([
    ['pinned', ['pinned and muted']],
    ['unread', ['unread', 'also unread']],
    ['others', ['read', 'archived']],
    ['muted', ['muted']],
  ])
  expect(sectionsOf([space('read', 0)]).map(({ name }) => name)).toEqual(['others'])
})

it('shows no unread count of a muted or archived space', () => {
  expect(shownUnread(archived)).toBe(0)
  expect(shownUnread(space('muted', 3, false, 'none'))).toBe(0)
  expect(shownUnread(space('unread', 3))).toBe(3)
})

it('holds an order while counts change and spaces come and go', () => {
  const read = (sections: ReturnType<typeof sectionsOf<ReturnType<typeof space>>>) =>
    sections.map(({ name, spaces }) => [name, ...spaces.map((one) => `${one.name} ${one.unread_count}`)])
  const held = orderOf(sectionsOf([space('a', 1), space('b', 2), space('c', 0), space('gone', 0)]))
  const now = sectionsOf([space('new', 0), space('c', 5), space('b', 2), space('a', 0)])
  expect(read(inHeldOrder(now, held))).toEqual([
    ['unread', 'a 0', 'b 2'],
    ['others', 'c 5', 'new 0'],
  ])
  expect(inHeldOrder(now, null)).toBe(now)
  const chosen = sectionsOf([space('c', 0, true), space('b', 2, false, 'none'), space('a', 0)])
  expect(read(inHeldOrder(chosen, held))).toEqual([
    ['pinned', 'c 0'],
    ['unread', 'a 0'],
    ['muted', 'b 2'],
  ])
})
