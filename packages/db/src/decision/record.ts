import {
  type Approvals,
  approvalsUnder,
  DEFAULT_POLICY,
  type DecisionStatus,
  type SettleRules,
} from '@collab-spaces/domain'
import type { Decision } from '../generated/client.js'

export interface DecisionRecord {
  readonly decisionId: string
  readonly spaceId: string
  readonly proposedBy: string
  readonly text: string
  readonly status: DecisionStatus
  readonly resolvedBy: string | null
  readonly resolvedAt: Date | null
  readonly resolution: string | null
  readonly createdAt: Date
  readonly postedBy: string
  readonly settledBy: string | null
  readonly assignees: readonly string[]
  /** The decision that this one takes the place of once it is resolved. */
  readonly supersedes: string | null
  readonly supersededBy: string | null
  readonly reviewAt: Date | null
  readonly approvals: Approvals
}

/** What of a row is shown. */
export type DecisionRow = Omit<Decision, 'tenantId' | 'idempotencyKey' | 'requestHash' | 'reviewToldAt'>

/** The rules that say how many approvals a decision has and needs. */
export type ApprovalRules = Pick<SettleRules, 'approvals' | 'independent'>

/** As they are joined to a decision. */
export type MaybeRules = { readonly [Rule in keyof ApprovalRules]: ApprovalRules[Rule] | null }

/** The rules of a space, which has none of its own unless somebody has set them. */
export const rulesIn = ({ approvals, independent }: MaybeRules): ApprovalRules => ({
  approvals: approvals ?? DEFAULT_POLICY.settle.approvals,
  independent: independent ?? DEFAULT_POLICY.settle.independent,
})

/** A decision as it was when it was proposed: the answer to a repeated proposal. */
export const asProposed = (row: DecisionRow, rules: ApprovalRules): DecisionRecord =>
  decisionRecord(
    {
      ...row,
      status: 'proposed',
      resolvedBy: null,
      resolvedAt: null,
      resolution: null,
      settledBy: null,
      supersededBy: null,
      approvedBy: [],
      independentApprovals: 0,
    },
    rules,
  )

export const decisionRecord = (row: DecisionRow, rules: ApprovalRules): DecisionRecord => ({
  decisionId: row.decisionId,
  spaceId: row.spaceId,
  proposedBy: row.proposedBy,
  text: row.text,
  status: row.status as DecisionStatus,
  resolvedBy: row.resolvedBy,
  resolvedAt: row.resolvedAt,
  resolution: row.resolution,
  createdAt: row.createdAt,
  postedBy: row.postedBy,
  settledBy: row.settledBy,
  assignees: row.assignees,
  supersedes: row.supersedes,
  supersededBy: row.supersededBy,
  reviewAt: row.reviewAt,
  approvals: approvalsOf(row, rules),
})

/** Once it is settled, a decision keeps the approvals it had and needed then, whatever the rules become. */
function approvalsOf(row: DecisionRow, rules: ApprovalRules): Approvals {
  const { status, approvedBy, independentApprovals, requiredApprovals, givenApprovals } = row
  if ((status as DecisionStatus) === 'proposed') return approvalsUnder(rules, approvedBy, independentApprovals)
  return { required: requiredApprovals ?? 0, given: givenApprovals ?? 0, by: approvedBy }
}
