import type { ActorRef } from './actor.js'
import { conflict, forbidden } from './errors.js'
import { LIMITS } from './limits.js'
import type { SettleRules } from './policy.js'

export const DECISION_STATUSES = ['proposed', 'resolved', 'rejected'] as const
export type DecisionStatus = (typeof DECISION_STATUSES)[number]

/** How a proposal can be settled. */
export const SETTLED_STATUSES = ['resolved', 'rejected'] as const
export type SettledStatus = (typeof SETTLED_STATUSES)[number]

/** What a reviewer says of a proposal. */
export const VERDICTS = ['approve', 'reject'] as const
export type Verdict = (typeof VERDICTS)[number]

/** How many approvals count for a decision, of those it needs, and whose they are. */
export interface Approvals {
  readonly required: number
  readonly given: number
  /** The actors that approve, in the order in which they did. */
  readonly by: readonly string[]
}

/** What the rules need to know of a decision. */
export interface Settleable {
  readonly status: DecisionStatus
  readonly postedBy: string
  readonly supersededBy: string | null
  readonly approvals: Approvals
}

/** Proposed → resolved or rejected, once, whatever the status of its space. */
export function requireUnsettled(status: DecisionStatus): void {
  if (status !== 'proposed') throw conflict(`Decision is already ${status}`)
}

/** A decision has one successor. */
export function requireNotSuperseded({ supersededBy }: Pick<Settleable, 'supersededBy'>): void {
  if (supersededBy !== null) throw conflict('Decision is already superseded')
}

/** Whether an actor may settle a decision in this way, whatever anybody claims to be. Rejecting needs no approvals. */
export function requireCanSettle(
  settler: ActorRef,
  decision: Settleable,
  rules: SettleRules,
  wanted: SettledStatus,
): void {
  requireMaySettle(settler, decision, rules)
  requireUnsettled(decision.status)
  if (wanted === 'rejected') return
  requireNotSuperseded(decision)
  requireApprovals(decision.approvals)
}

function requireMaySettle(settler: ActorRef, { postedBy }: Settleable, rules: SettleRules): void {
  if (rules.who === 'humans' && settler.actorType !== 'human') {
    throw forbidden('Only humans may settle decisions here')
  }
  if (rules.who === 'named' && !rules.named.includes(settler.actorId)) {
    throw forbidden('Not a resolver of this space')
  }
  if (!rules.proposerMaySettle && settler.actorId === postedBy) {
    throw forbidden('The proposer of a decision may not settle it in this space')
  }
}

function requireApprovals({ required, given }: Approvals): void {
  const missing = required - given
  if (missing <= 0) return
  throw conflict(`Needs ${missing} more ${missing === 1 ? 'approval' : 'approvals'}`, {
    error: 'approvals_missing',
    required,
    given,
  })
}

/** An actor that approves, and who is behind it. */
export type Approver = Pick<ActorRef, 'actorId' | 'sponsorId'>

/**
 * Those who approve after a review, in the order in which they did. Whoever approves again keeps their place. One human's
 * agents cannot take all places: as many as a space can require are enough.
 */
export function approversAfter(
  approvers: readonly Approver[],
  reviewer: Approver,
  verdict: Verdict,
): readonly Approver[] {
  const others = approvers.filter(({ actorId }) => actorId !== reviewer.actorId)
  if (verdict === 'reject') return others
  if (others.length < approvers.length) return approvers
  if (others.length >= LIMITS.approvals) throw conflict(`A decision can have at most ${LIMITS.approvals} approvals`)
  const ofSame = others.filter((approver) => rootOf(approver) === rootOf(reviewer))
  if (ofSame.length >= LIMITS.requiredApprovals) {
    throw conflict(`A decision can have at most ${LIMITS.requiredApprovals} approvals of one human and their agents`)
  }
  return [...others, reviewer]
}

/** The human behind an actor: itself, or its sponsor. */
const rootOf = ({ actorId, sponsorId }: Approver) => sponsorId ?? actorId

/** How many humans are behind those who approve, without the one behind the proposer. */
export function independentApprovals(approvers: readonly Approver[], proposer: Approver): number {
  const humans = new Set(approvers.map(rootOf))
  humans.delete(rootOf(proposer))
  return humans.size
}

/** The approvals of a decision that is not settled, under the rules of its space. */
export const approvalsUnder = (
  { approvals, independent }: Pick<SettleRules, 'approvals' | 'independent'>,
  by: readonly string[],
  independentlyGiven: number,
): Approvals => ({ required: approvals, given: independent ? independentlyGiven : by.length, by })
