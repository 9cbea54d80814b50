import type { Event } from '@collab-spaces/client'

/** Lines of a transcript that one actor posted and that follow each other in the history: one row, opened in place. */
export interface TranscriptRow {
  readonly kind: 'transcript'
  readonly key: string
  readonly events: readonly Event[]
  readonly startsDay: boolean
  readonly isFirstUnread: boolean
  /** How many of the lines are new. */
  readonly unread: number
  /** Whether its lines stand below it. */
  readonly isOpen: boolean
}
