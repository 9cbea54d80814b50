import type { Decision } from '@collab-spaces/client'

export type DecisionStatus = Decision['status']

/** The columns of the board, in their order. */
export const COLUMNS: readonly DecisionStatus[] = ['proposed', 'resolved', 'rejected']

/**
 * Returns the decisions of a column: open ones assigned to this account first, then oldest first; settled ones newest
 * first.
 */
export function columnOf(status: DecisionStatus, decisions: readonly Decision[], actorId: string): readonly Decision[] {
  const own = decisions.filter((decision) => decision.status === status)
  return status === 'proposed'
    ? own.toSorted((a, b) => Number(b.assignees.includes(actorId)) - Number(a.assignees.includes(actorId)))
    : own.toSorted((a, b) => (b.resolved_at ?? '').localeCompare(a.resolved_at ?? ''))
}

/** Returns whether the review of a decision in force is due. */
export const isReviewDue = ({ status, review_at, superseded_by }: Decision, now: number): boolean =>
  review_at !== null && status !== 'rejected' && superseded_by === null && Date.parse(review_at) <= now
