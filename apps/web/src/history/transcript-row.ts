import type { FoldedRow } from './remembered'

/** Lines of a transcript that one actor posted and that follow each other in the history: one row, opened in place. */
export interface TranscriptRow extends FoldedRow {
  readonly kind: 'transcript'
  /** Whether its lines stand below it. */
  readonly isOpen: boolean
}
