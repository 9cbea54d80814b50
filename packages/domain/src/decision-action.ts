import { type ActorRef, humanOf } from './actor.js'
import {
  type Approvals,
  type Approver,
  type DecisionStatus,
  type PlacedApprover,
  requireMaySettle,
  type SettledStatus,
} from './decision.js'
import { conflict, DomainError, forbidden, invalid } from './errors.js'
import { type JsonObject, MalformedValue, storedObject, storedStrings } from './json.js'
import { LIMITS } from './limits.js'
import type { SettleRules } from './policy.js'

/** An answer that a proposal offers. One that denies settles the decision, and permits nothing. */
export interface DecisionOption {
  readonly id: string
  readonly label: string
  readonly description: string | null
  readonly denies: boolean
}

/** The action that a decision authorizes once. The digest covers its type and arguments. */
export interface DecisionAction {
  readonly type: string
  readonly title: string | null
  readonly arguments: JsonObject
  readonly digest: string
  /** Whether the resolver may replace the arguments. */
  readonly isEditable: boolean
  /** Ids of actors that may use it besides the proposer and its sponsor. */
  readonly usedBy: readonly string[]
}

/** The arguments with which the resolver replaced the proposed ones, and the digest of the edited action. */
export interface ActionEdit {
  readonly arguments: JsonObject
  readonly digest: string
}

/** An action in the form of the API, which the log of acts keeps. */
export const shownAction = ({ type, title, arguments: sent, digest, isEditable, usedBy }: DecisionAction) => ({
  type,
  title,
  arguments: sent,
  digest,
  editable: isEditable,
  used_by: [...usedBy],
})

/** Reads an action back from its form in the API. Throws a `MalformedValue`. */
export function actionFrom(shown: unknown): DecisionAction {
  const { type, title, arguments: sent, digest, editable, used_by } = storedObject(shown)
  const isTitle = title === null || typeof title === 'string'
  if (typeof type !== 'string' || typeof digest !== 'string' || !isTitle || typeof editable !== 'boolean') {
    throw new MalformedValue('type, title, digest and editable must be those of an action')
  }
  const usedBy = storedStrings(used_by)
  return { type, title, arguments: storedObject(sent) as JsonObject, digest, isEditable: editable, usedBy }
}

/** Reads options back from their form in the API. Throws a `MalformedValue`. */
export function optionsFrom(shown: unknown): DecisionOption[] {
  if (!Array.isArray(shown)) throw new MalformedValue('must be a list')
  return shown.map((item) => {
    const { id, label, description, denies } = storedObject(item)
    const isDescription = description === null || typeof description === 'string'
    if (typeof id === 'string' && typeof label === 'string' && isDescription && typeof denies === 'boolean') {
      return { id, label, description, denies }
    }
    throw new MalformedValue('id, label, description and denies must be those of an option')
  })
}

/** The fields of a decision that say what it authorizes, and until when. */
export interface Authorization {
  readonly status: DecisionStatus
  readonly options: readonly DecisionOption[] | null
  /** The chosen option. */
  readonly option: string | null
  readonly action: DecisionAction | null
  readonly edit: ActionEdit | null
  readonly expiresAt: Date | null
  readonly usedBy: string | null
  readonly usedAt: Date | null
  readonly supersededBy: string | null
}

/** Returns the digest of the action that may be used: as it was proposed, or as the resolver edited it. */
export const usableDigest = ({ action, edit }: Pick<Authorization, 'action' | 'edit'>): string | null =>
  (edit ?? action)?.digest ?? null

const DAY_MS = 24 * 60 * 60 * 1_000

/** Throws unless a proposal expires later than now, and within the limit. */
export function requireExpiryAhead(expiresAt: Date | null, now: Date): void {
  if (expiresAt === null) return
  if (expiresAt <= now) throw invalid('expires_at', 'must be in the future')
  if (expiresAt.getTime() - now.getTime() <= LIMITS.decisionDays * DAY_MS) return
  throw invalid('expires_at', `must be at most ${LIMITS.decisionDays} days from now`)
}

/** Whether a decision can no longer be resolved, or its action no longer used, because its time has passed. */
export function isExpired(decision: Omit<Authorization, 'edit' | 'usedBy' | 'supersededBy'>, now: Date): boolean {
  const { status, action, expiresAt, usedAt } = decision
  if (expiresAt === null || expiresAt > now) return false
  return status === 'proposed' || (status === 'resolved' && action !== null && usedAt === null && isPermitted(decision))
}

/** Whether the chosen option permits the action. An unknown one does not, as the options may have been erased. */
const isPermitted = ({ options, option }: Pick<Authorization, 'options' | 'option'>): boolean =>
  options === null || options.find(({ id }) => id === option)?.denies === false

const decisionExpired = (expiresAt: Date) =>
  conflict(`Decision expired at ${expiresAt.toISOString()}: propose it again`, {
    error: 'decision_expired',
    expires_at: expiresAt.toISOString(),
  })

/** What the resolver chooses and replaces. */
export interface Choice {
  readonly option: string | null
  readonly arguments: JsonObject | null
}

/** Throws unless an open decision can be settled with a choice at a time. Rejecting needs none, at any time. */
export function requireChoice(decision: Authorization, status: SettledStatus, choice: Choice, now: Date): void {
  const { options, action, expiresAt } = decision
  if (status === 'rejected') {
    if (choice.option !== null) throw invalid('option', 'is only for a resolution')
    if (choice.arguments !== null) throw invalid('arguments', 'are only for a resolution')
    return
  }
  if (expiresAt !== null && isExpired(decision, now)) throw decisionExpired(expiresAt)
  const ids = options?.map(({ id }) => id) ?? []
  if (choice.option === null && options !== null) throw invalid('option', `is required: one of ${ids.join(', ')}`)
  if (choice.option !== null && !ids.includes(choice.option)) {
    throw invalid('option', options === null ? 'this decision has no options' : `must be one of ${ids.join(', ')}`)
  }
  if (choice.arguments !== null && !action?.isEditable) {
    throw invalid('arguments', 'this decision has no action that is editable')
  }
}

/**
 * Throws unless an actor may use the action of a decision, and the decision authorizes the action of a digest at a time:
 * the proposer, its sponsor, or an actor that the action names.
 */
export function requireUsable(
  user: ActorRef,
  decision: Authorization,
  proposer: Approver,
  digest: string,
  now: Date,
): void {
  const { action } = decision
  if (action === null) throw conflict('Decision has no action to use', { error: 'no_action' })
  if (![proposer.actorId, humanOf(proposer), ...action.usedBy].includes(user.actorId)) {
    throw forbidden('Only the proposer of a decision, its sponsor, or an actor in its used_by may use it')
  }
  requireInForce(decision, now)
  if (!isPermitted(decision)) {
    throw conflict('The chosen option permits nothing', { error: 'decision_denied', option: decision.option })
  }
  const approved = usableDigest(decision)
  if (approved === digest) return
  throw conflict('This is not the action that was approved: read the decision, as its arguments may have been edited', {
    error: 'digest_mismatch',
    digest: approved,
  })
}

/** Throws for a decision that is used, rejected, superseded, expired or open. */
function requireInForce(decision: Authorization, now: Date): void {
  const { status, expiresAt, usedBy, usedAt, supersededBy } = decision
  if (usedAt !== null) {
    const at = usedAt.toISOString()
    throw conflict(`Decision was already used, at ${at}`, { error: 'decision_used', used_by: usedBy, used_at: at })
  }
  if (status === 'rejected') throw conflict('Decision was rejected', { error: 'decision_rejected' })
  if (supersededBy !== null) {
    throw conflict('Decision is already superseded', { error: 'superseded', superseded_by: supersededBy })
  }
  if (expiresAt !== null && isExpired(decision, now)) throw decisionExpired(expiresAt)
  if (status === 'proposed') throw conflict('Decision is not resolved yet', { error: 'decision_open' })
}

/** The settlement of a decision as it is judged at a use. */
export interface Settlement {
  readonly postedBy: string
  readonly rulesAtProposal: SettleRules
  /** Counted by the present rules, and by the present standing of the approvers. */
  readonly approvals: Approvals
}

/** Throws unless a decision could still be settled by its settler, under both the present rules and those at its proposal. */
export function requireStillApproved(
  settler: ActorRef & PlacedApprover,
  settlement: Settlement,
  now: SettleRules,
): void {
  const { required, given } = settlement.approvals
  if (given < required) {
    throw noLongerApproved(`it has ${given} of ${required} approvals by the present rules`)
  }
  if (settler.standing !== 'present') throw noLongerApproved(`the actor that resolved it is ${settler.standing}`)
  try {
    for (const rules of [now, settlement.rulesAtProposal]) requireMaySettle(settler, settlement, rules)
  } catch (error) {
    if (error instanceof DomainError) throw noLongerApproved(`its resolver may not: ${error.detail}`)
    throw error
  }
}

const noLongerApproved = (why: string) =>
  conflict(`Decision is no longer approved, as ${why}: propose it again`, { error: 'no_longer_approved' })
