import { type ActorRef, humanOf } from './actor.js'
import { shorten } from './cut.js'
import { conflict, forbidden } from './errors.js'
import { MalformedValue, storedObject, storedOneOf } from './json.js'
import { LIMITS } from './limits.js'
import type { SettleRules } from './policy.js'
import { isVisible, plainLine } from './visible.js'

export const DECISION_STATUSES = ['proposed', 'resolved', 'rejected'] as const
export type DecisionStatus = (typeof DECISION_STATUSES)[number]

/** How a proposal can be settled. */
export const SETTLED_STATUSES = ['resolved', 'rejected'] as const
export type SettledStatus = (typeof SETTLED_STATUSES)[number]

/** Which decisions a list of several spaces has: those that can still be resolved, of all or of an assignee, or the valid ones. */
export const DECISION_FILTERS = ['waiting', 'waiting_for_me', 'in_force'] as const
export type DecisionFilter = (typeof DECISION_FILTERS)[number]

/** A reviewer's verdict on a proposal. */
export const VERDICTS = ['approve', 'reject'] as const
export type Verdict = (typeof VERDICTS)[number]

/** The standing of an actor in a tenant. Only approvals of actors that are present count. */
export const STANDINGS = ['present', 'deleted', 'departed', 'disabled', 'stopped'] as const
export type Standing = (typeof STANDINGS)[number]

/** Why an approval does not count. */
export const NOT_COUNTED = [
  /** From the proposer, the human behind the proposer, or an agent of that human. */
  'proposer',
  'deleted',
  'departed',
  'disabled',
  'stopped',
  /** Another approval of the same human or its agents already counts. */
  'same_human',
] as const
type NotCounted = (typeof NOT_COUNTED)[number]

export interface UncountedApproval {
  readonly actorId: string
  readonly reason: NotCounted
}

/** How many approvals count for a decision, of those it needs, and whose they are. */
export interface Approvals {
  readonly required: number
  readonly given: number
  /** The actors that approve, in the order in which they did. */
  readonly by: readonly string[]
  /** The approvals in `by` that do not count. */
  readonly notCounted: readonly UncountedApproval[]
}

/** Approvals in the form of the API, which the log of acts keeps. */
export const shownApprovals = ({ required, given, by, notCounted }: Approvals) => ({
  required,
  given,
  by: [...by],
  not_counted: notCounted.map(({ actorId, reason }) => ({ actor_id: actorId, reason })),
})

/** Reads `not_counted` back from its form in the API. Throws a `MalformedValue`. */
export function uncountedFrom(shown: unknown): UncountedApproval[] {
  if (!Array.isArray(shown)) throw new MalformedValue('must be a list')
  return shown.map((item) => {
    const { actor_id, reason } = storedObject(item)
    if (typeof actor_id !== 'string') throw new MalformedValue('actor_id must be a string')
    return { actorId: actor_id, reason: storedOneOf(reason, NOT_COUNTED) }
  })
}

/** In a space with more humans, only its owners are notified of a proposal without assignees. */
export const MAX_NOTIFIED_HUMANS = 50

/** The fields of a decision that rules depend on. */
export interface Settleable {
  readonly status: DecisionStatus
  readonly postedBy: string
  readonly supersededBy: string | null
  readonly rulesAtProposal: SettleRules
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

/**
 * Throws unless the authenticated actor may settle a decision under both the current rules and those at its proposal, so
 * that relaxing the rules first gains nothing. Rejecting needs no approvals.
 */
export function requireCanSettle(
  settler: ActorRef,
  decision: Settleable,
  now: SettleRules,
  requested: SettledStatus,
): void {
  for (const rules of [now, decision.rulesAtProposal]) requireMaySettle(settler, decision, rules)
  requireUnsettled(decision.status)
  if (requested === 'rejected') return
  requireNotSuperseded(decision)
  requireApprovals(decision.approvals)
}

/** Throws unless rules let an actor settle a decision. */
export function requireMaySettle(
  settler: ActorRef,
  { postedBy }: Pick<Settleable, 'postedBy'>,
  rules: SettleRules,
): void {
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

/** An approver and its sponsor, if it is an agent. */
export type Approver = Pick<ActorRef, 'actorId' | 'sponsorId'>

/**
 * The approvers after a review, in the order in which they approved. One that approves again keeps its place. The
 * agents of one human cannot take all places: as many as a space can require are enough.
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
  const ofSame = others.filter((approver) => humanOf(approver) === humanOf(reviewer))
  if (ofSame.length >= LIMITS.requiredApprovals) {
    throw conflict(`A decision can have at most ${LIMITS.requiredApprovals} approvals of one human and their agents`)
  }
  return [...others, reviewer]
}

/** An actor that approves, as it is now. */
export type PlacedApprover = Approver & { readonly standing: Standing }

/** The rules about approvals. */
export type ApprovalRules = Pick<SettleRules, 'approvals' | 'independent'>

/**
 * Counts the approvals of an open decision under all given rules: the strictest number is required. An approval of the
 * human behind the proposer, or of its agents, never counts.
 */
export function countApprovals(
  rules: readonly ApprovalRules[],
  approvers: readonly PlacedApprover[],
  proposer: Approver,
): Approvals {
  const isIndependent = rules.some(({ independent }) => independent)
  const humans = new Set<string>()
  const notCounted: UncountedApproval[] = []
  for (const approver of approvers) {
    const human = humanOf(approver)
    const isRepeated = isIndependent && humans.has(human)
    const reason = whyNotCounted(approver, proposer) ?? (isRepeated ? 'same_human' : null)
    if (reason) notCounted.push({ actorId: approver.actorId, reason })
    else humans.add(human)
  }
  return {
    required: Math.max(0, ...rules.map(({ approvals }) => approvals)),
    given: approvers.length - notCounted.length,
    by: approvers.map(({ actorId }) => actorId),
    notCounted,
  }
}

function whyNotCounted(approver: PlacedApprover, proposer: Approver): NotCounted | null {
  if (humanOf(approver) === humanOf(proposer)) return 'proposer'
  return approver.standing === 'present' ? null : approver.standing
}

/** Returns the subject of the thread about a decision: the beginning of its text, as one line. */
export function discussionSubject(text: string): string {
  const line = plainLine(text)
  return isVisible(line) ? shorten(line, LIMITS.subject) : 'Decision'
}
