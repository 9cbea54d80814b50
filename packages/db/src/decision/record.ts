import {
  type ApprovalRules,
  type Approvals,
  countApprovals,
  DEFAULT_POLICY,
  type DecisionStatus,
  rulesFrom,
  type SettleRules,
  shownApprovals,
  type TenantId,
  uncountedFrom,
} from '@collab-spaces/domain'
import type { Transaction } from '../connection/store-context.js'
import type { Decision } from '../generated/client.js'
import { actorsAmong, type Find } from './approver.js'

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
  /** The decision that this one supersedes upon resolution. */
  readonly supersedes: string | null
  readonly supersededBy: string | null
  readonly reviewAt: Date | null
  readonly rulesAtProposal: SettleRules
  readonly approvals: Approvals
}

/** The visible columns. */
export type DecisionRow = Omit<Decision, 'tenantId' | 'idempotencyKey' | 'requestHash' | 'reviewToldAt'>

/** The rules joined to a decision; null if unset. */
export type MaybeRules = { readonly [Rule in keyof ApprovalRules]: ApprovalRules[Rule] | null }

/** The current rules of a space, with defaults. */
export const rulesNow = ({ approvals, independent }: MaybeRules): ApprovalRules => ({
  approvals: approvals ?? DEFAULT_POLICY.settle.approvals,
  independent: independent ?? DEFAULT_POLICY.settle.independent,
})

/** Decisions of a tenant, each with the current rules of its space. */
export async function decisionRecords<Row extends DecisionRow>(
  client: Pick<Transaction, '$queryRaw'>,
  tenantId: TenantId,
  rows: readonly Row[],
  rulesOf: (row: Row) => ApprovalRules,
): Promise<DecisionRecord[]> {
  const approved = rows.filter((row) => isOpen(row) && row.approvedBy.length > 0)
  const actorIds = approved.flatMap(({ approvedBy, postedBy }) => [...approvedBy, postedBy])
  const find = approved.length > 0 ? await actorsAmong(client, tenantId, actorIds) : findNobody
  return rows.map((row) => decisionRecord(row, rulesOf(row), find))
}

const isOpen = ({ status }: DecisionRow) => (status as DecisionStatus) === 'proposed'

/** Finds no actors: for decisions without approvals. */
const findNobody: Find = (actorId) => ({ actorId, sponsorId: null, standing: 'deleted' })

/** A decision in its state at proposal, also the answer to a repeated proposal. */
export const asProposed = (row: DecisionRow): DecisionRecord =>
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
    },
    rulesIn(row),
    findNobody,
  )

/** For an open decision, `find` must know the proposer and the approvers. */
export function decisionRecord(row: DecisionRow, rules: ApprovalRules, find: Find): DecisionRecord {
  const rulesAtProposal = rulesIn(row)
  return {
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
    rulesAtProposal,
    approvals: isOpen(row)
      ? countApprovals([rules, rulesAtProposal], row.approvedBy.map(find), find(row.postedBy))
      : approvalsThen(row),
  }
}

/** A settled decision keeps its given and required approvals, regardless of later changes to rules and approvers. */
const approvalsThen = ({
  approvedBy,
  requiredApprovals,
  givenApprovals,
  approvalsNotCounted,
}: DecisionRow): Approvals => ({
  required: requiredApprovals ?? 0,
  given: givenApprovals ?? 0,
  by: approvedBy,
  notCounted: approvalsNotCounted === null ? [] : uncountedFrom(approvalsNotCounted),
})

/** The columns for the approvals of a settled decision. */
export const approvalColumns = (approvals: Approvals) => ({
  requiredApprovals: approvals.required,
  givenApprovals: approvals.given,
  approvalsNotCounted: shownApprovals(approvals).not_counted,
})

const rulesIn = ({ rulesAtProposal }: DecisionRow): SettleRules => rulesFrom(rulesAtProposal)
