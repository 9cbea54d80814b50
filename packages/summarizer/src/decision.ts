/** A decision that was proposed or settled in the window, or both. */
export interface SummarizedDecision {
  readonly decision_id: string
  readonly text: string
  readonly status: 'proposed' | 'resolved' | 'rejected'
  readonly resolution: string | null
  readonly proposed_in_window: boolean
  readonly settled_in_window: boolean
  readonly proposed_by: string
  readonly resolved_by: string | null
}

/** Decisions that are only counted, as the first ones and the newest are enough to show. */
export interface MoreDecisions {
  readonly proposed: number
  readonly settled: number
}
