import { memoizeRows } from './memoize-rows'
import type { EventRow, Row, ThreadRow } from './rows'

/** Replaces each sequence of replies in one thread by one row. */
export function foldThreads(rows: readonly Row[], { actorId }: { readonly actorId: string }): readonly Row[] {
  if (!rows.some((row) => row.kind === 'event' && row.event.thread_id !== null)) return rows
  const events = new Set(rows.map(({ key }) => key))
  const totals = new Map<string, number>()
  const folded: (Row | EventRow[])[] = []
  for (const row of rows) {
    const threadId = threadOf(row)
    const last = folded.at(-1)
    if (threadId === null || row.kind !== 'event') folded.push(row)
    else if (Array.isArray(last) && threadOf(last[0]) === threadId && !row.startsDay) last.push(row)
    else folded.push([row])
  }
  const lastOf = new Map<string, EventRow[]>()
  for (const one of folded) if (Array.isArray(one)) lastOf.set(threadOf(one[0]) ?? '', one)
  let isNew = false
  return folded.map((one) => {
    if (!Array.isArray(one)) {
      isNew ||= one.kind === 'event' && one.isFirstUnread
      return one
    }
    const threadId = threadOf(one[0]) ?? ''
    const total = (totals.get(threadId) ?? 0) + one.length
    totals.set(threadId, total)
    const isFirstUnread = one.some((row) => row.isFirstUnread)
    let unread = 0
    for (const row of one) {
      isNew ||= row.isFirstUnread
      if (isNew && row.event.posted_by !== actorId) unread += 1
    }
    const isWhole = one.some(({ event }) => event.parent_event_id !== null && events.has(event.parent_event_id))
    return remembered({
      kind: 'thread',
      key: one[0]?.key ?? '',
      threadId,
      events: one.map(({ event }) => event),
      startsDay: one[0]?.startsDay ?? false,
      isFirstUnread,
      unread,
      total,
      isWhole,
      continuesLater: lastOf.get(threadId) !== one,
    })
  })
}

const threadOf = (row: Row | undefined): string | null => (row?.kind === 'event' ? row.event.thread_id : null)

const remembered = memoizeRows<ThreadRow>('startsDay', 'isFirstUnread', 'unread', 'total', 'isWhole', 'continuesLater')
