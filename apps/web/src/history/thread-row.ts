import type { FoldedRow } from './remembered'

/**
 * Replies in one thread that follow each other in the history: one row. Events that arrive continue the last row or
 * begin a new one, so rows never move; a row that the thread goes on after says only that.
 */
export interface ThreadRow extends FoldedRow {
  readonly kind: 'thread'
  readonly threadId: string
  /** How many replies of the thread the run has up to here. */
  readonly total: number
  /** Whether that is all of them: the run has the event that the thread is about. */
  readonly isWhole: boolean
  /** Whether the thread goes on in a later row. */
  readonly goesOn: boolean
}
