import type { NamedPoster } from './event.js'

/** A decision that was proposed or settled in the window, or both. */
export interface SummarizedDecision {
  readonly decision_id: string
  readonly text: string
  readonly status: 'proposed' | 'resolved' | 'rejected'
  readonly resolution: string | null
  readonly proposed_in_window: boolean
  readonly settled_in_window: boolean
  readonly proposer: NamedPoster
  /** Null while it is open. */
  readonly settler: NamedPoster | null
}

/** The numbers of decisions that the summary counts without listing them. */
export interface MoreDecisions {
  readonly proposed: number
  readonly settled: number
}
