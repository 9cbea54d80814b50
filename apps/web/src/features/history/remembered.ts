import type { Event } from '@collab-spaces/client'

/** A row that stands for several events. */
export interface FoldedRow {
  /** By its first event. */
  readonly key: string
  readonly events: readonly Event[]
  readonly startsDay: boolean
  readonly isFirstUnread: boolean
  /** How many of the events are new, and somebody else's. */
  readonly unread: number
}

/**
 * Gives a row as it was last made, by its first event, if it is the same again in its events and these fields: most are,
 * and need not be rendered anew.
 */
export function remembering<R extends FoldedRow>(...fields: readonly (keyof R)[]): (row: R) => R {
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
