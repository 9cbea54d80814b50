import type { Decision, InboxItem, Notice, RouterInputs } from '@collab-spaces/client'
import type { DoneMarks } from '../../shared/query/done'
import type { Inbox } from '../../shared/query/inbox'

interface BaseEntry {
  readonly key: string
  /** Null for account notices. */
  readonly spaceId: string | null
  readonly at: string
}

export interface ItemEntry extends BaseEntry {
  readonly kind: 'item'
  readonly item: InboxItem
  readonly spaceId: string
  /** The number of earlier items in its space, which are marked as done with it. */
  readonly earlierCount: number
}
interface DecisionEntry extends BaseEntry {
  readonly kind: 'decision'
  readonly decision: Decision
  readonly spaceId: string
}
interface NoticeEntry extends BaseEntry {
  readonly kind: 'notice'
  readonly notice: Notice
  /** Whether the account's credential may dismiss it. */
  readonly isDismissable: boolean
}

/** An inbox entry. */
export type Entry = ItemEntry | DecisionEntry | NoticeEntry

/** The tabs of the inbox. */
export const TABS = ['all', 'mention', 'reply', 'thread', 'direct', 'decision', 'notice', 'snoozed'] as const
export type Tab = (typeof TABS)[number]

/** Returns the inbox entries by space: decisions, then notices, then items, oldest first. */
export function entriesOf({ decisions, notices, items, done }: Omit<Inbox, 'isShown'>): readonly Entry[] {
  const countBySpace = new Map<string, number>()
  const entries: readonly Entry[] = [
    ...decisions.map((decision): Entry => {
      const { decision_id: key, space_id: spaceId, created_at: at } = decision
      return { kind: 'decision', key, spaceId, at, decision }
    }),
    ...notices.map((notice): Entry => {
      const { notice_id: key, space_id: spaceId, created_at: at } = notice
      return { kind: 'notice', key, spaceId, at, notice, isDismissable: done.notices.includes(key) }
    }),
    ...items.map((item): Entry => {
      const { space_id, event } = item
      const count = countBySpace.get(space_id) ?? 0
      countBySpace.set(space_id, count + 1)
      return { kind: 'item', key: event.event_id, spaceId: space_id, at: event.timestamp, item, earlierCount: count }
    }),
  ]
  const spaces = new Map<string | null, Entry[]>()
  for (const entry of entries) spaces.set(entry.spaceId, [...(spaces.get(entry.spaceId) ?? []), entry])
  return [...spaces.values()].flat()
}

export function isIn(tab: Tab, entry: Entry): boolean {
  if (tab === 'all' || tab === entry.kind) return true
  return entry.kind === 'item' && entry.item.kinds.some((kind) => kind === tab)
}

/** Adjacent entries of one space and one thread, or of no thread. */
export interface Group {
  readonly key: string
  readonly spaceId: string | null
  /** Whether it is the first of its space. */
  readonly startsSpace: boolean
  readonly threadId: string | null
  readonly entries: readonly Entry[]
}

const threadOf = (entry: Entry): string | null => (entry.kind === 'item' ? entry.item.event.thread_id : null)

/** Returns a key that is stable while entries of the group come and go. */
const keyOf = (groups: readonly Group[], spaceId: string | null, threadId: string | null): string => {
  const earlier = groups.filter((group) => group.spaceId === spaceId && group.threadId === threadId)
  return [spaceId ?? '', threadId ?? '', earlier.length].join(' ')
}

/** Groups adjacent entries of a space and thread, in the order of the entries. */
export function groupsOf(entries: readonly Entry[]): readonly Group[] {
  const groups: (Group & { readonly entries: Entry[] })[] = []
  for (const entry of entries) {
    const last = groups.at(-1)
    const threadId = threadOf(entry)
    const { spaceId } = entry
    const startsSpace = last?.spaceId !== spaceId
    if (last && !startsSpace && last.threadId === threadId) last.entries.push(entry)
    else groups.push({ key: keyOf(groups, spaceId, threadId), spaceId, startsSpace, threadId, entries: [entry] })
  }
  return groups
}

/** Returns the input that marks an entry as done; null for a decision, or without the permission. */
export function markOf(entry: Entry): DoneMarks | null {
  if (entry.kind === 'decision') return null
  if (entry.kind === 'notice') return entry.isDismissable ? { through: [], notices: [entry.key] } : null
  return { through: [{ space_id: entry.spaceId, event_id: entry.key }], notices: [] }
}

/** Returns whether the account may hide an entry: a notice only if it may dismiss it. */
export const canSnooze = (entry: Entry): boolean => entry.kind !== 'notice' || entry.isDismissable

/** Returns the input that names an entry to hide. */
export function snoozedBy(entry: Entry): RouterInputs['inbox']['snooze'] {
  if (entry.kind === 'notice') return { notices: [entry.key] }
  const { spaceId: space_id, key } = entry
  return entry.kind === 'decision'
    ? { decisions: [{ space_id, decision_id: key }] }
    : { items: [{ space_id, event_id: key }] }
}

/** Returns the entry to select after one was done: the next remaining one, or else the previous. */
export function nextAfter(entries: readonly Entry[], done: Entry): Entry | null {
  const index = entries.indexOf(done)
  // Marking an item also marks the earlier items of its space.
  const isRemaining = (entry: Entry) =>
    entry !== done && !(done.kind === 'item' && entry.kind === 'item' && entry.spaceId === done.spaceId)
  return entries[index + 1] ?? entries.slice(0, index).findLast(isRemaining) ?? null
}
