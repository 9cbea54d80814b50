import type { Event } from '@collab-spaces/client'

/** A row that represents several events. */
export interface FoldedRow {
  /** The key of its first event. */
  readonly key: string
  readonly events: readonly Event[]
  readonly startsDay: boolean
  readonly isFirstUnread: boolean
  /** The number of its unread events by other posters. */
  readonly unread: number
}

/**
 * Memoizes rows by their first event: returns the previous row if its events and the given fields are unchanged, so
 * that it need not render again.
 */
export function memoizeRows<R extends FoldedRow>(...fields: readonly (keyof R)[]): (row: R) => R {
  const made = new WeakMap<Event, R>()
  const isSame = (a: R, b: R) =>
    a.events.length === b.events.length &&
    a.events.every((event, at) => event === b.events[at]) &&
    fields.every((field) => a[field] === b[field])
  return (row) => {
    const [first] = row.events
    if (!first) return row
    const last = made.get(first)
    if (last && isSame(last, row)) return last
    made.set(first, row)
    return row
  }
}
