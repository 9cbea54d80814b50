import { conflict } from './errors.js'

export const DECISION_STATUSES = ['proposed', 'resolved', 'rejected'] as const
export type DecisionStatus = (typeof DECISION_STATUSES)[number]

/** How a proposal can be settled. */
export const SETTLED_STATUSES = ['resolved', 'rejected'] as const
export type SettledStatus = (typeof SETTLED_STATUSES)[number]

/** Proposed → resolved or rejected, once, whatever the status of its space. */
export function requireUnsettled(status: DecisionStatus): void {
  if (status !== 'proposed') throw conflict(`Decision is already ${status}`)
}
