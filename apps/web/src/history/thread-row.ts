import type { Event } from '@collab-spaces/client'

/**
 * Replies in one thread that follow each other in the history: one row. What arrives continues the last row or begins a new
 * one, so rows never move; one that the thread goes on after says only that.
 */
export interface ThreadRow {
  readonly kind: 'thread'
  /** The id of its first event. */
  readonly key: string
  readonly threadId: string
  readonly events: readonly Event[]
  readonly startsDay: boolean
  readonly isFirstUnread: boolean
  /** How many of the events are new, and somebody else's. */
  readonly unread: number
  /** How many replies of the thread the run has up to here. */
  readonly total: number
  /** Whether that is all of them: the run has the event that the thread is about. */
  readonly isWhole: boolean
  /** Whether the thread goes on in a later row. */
  readonly goesOn: boolean
}
