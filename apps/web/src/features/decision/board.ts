import type { Decision } from '@collab-spaces/client'

export type DecisionStatus = Decision['status']

/** The columns of the board, in the order in which a decision goes through them. */
export const COLUMNS: readonly DecisionStatus[] = ['proposed', 'resolved', 'rejected']

/** The decisions of a column: open ones that wait for this account first, then the oldest; settled ones newest first. */
export function columnOf(status: DecisionStatus, decisions: readonly Decision[], actorId: string): readonly Decision[] {
  const own = decisions.filter((decision) => decision.status === status)
  return status === 'proposed'
    ? own.toSorted((a, b) => Number(b.assignees.includes(actorId)) - Number(a.assignees.includes(actorId)))
    : own.toSorted((a, b) => (b.resolved_at ?? '').localeCompare(a.resolved_at ?? ''))
}

/** Whether a decision in force is to be looked at again by now. */
export const isReviewDue = ({ status, review_at, superseded_by }: Decision, now: number): boolean =>
  review_at !== null && status !== 'rejected' && superseded_by === null && Date.parse(review_at) <= now
