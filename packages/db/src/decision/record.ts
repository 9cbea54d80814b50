import {
  type ActionEdit,
  type ApprovalRules,
  type Approvals,
  type Authorization,
  actionFrom,
  countApprovals,
  DEFAULT_POLICY,
  type DecisionStatus,
  isExpired,
  type JsonObject,
  optionsFrom,
  rulesFrom,
  type SettleRules,
  shownApprovals,
  type TenantId,
  uncountedFrom,
} from '@collab-spaces/domain'
import type { Transaction } from '../connection/store-context.js'
import type { Decision } from '../generated/client.js'
import { actorsAmong, type Find, findNone } from './approver.js'

export interface DecisionRecord extends Authorization {
  readonly decisionId: string
  readonly spaceId: string
  readonly proposedBy: string
  readonly text: string
  readonly resolvedBy: string | null
  readonly resolvedAt: Date | null
  readonly resolution: string | null
  readonly createdAt: Date
  readonly postedBy: string
  readonly settledBy: string | null
  readonly assignees: readonly string[]
  /** The decision that this one supersedes upon resolution. */
  readonly supersedes: string | null
  readonly reviewAt: Date | null
  readonly rulesAtProposal: SettleRules
  readonly approvals: Approvals
  readonly isExpired: boolean
  /** The thread in which it is discussed. */
  readonly threadId: string | null
}

/** The columns that the domain reads from JSON. */
type JsonColumn = 'options' | 'rulesAtProposal' | 'approvalsNotCounted'

/** The visible columns. */
export type DecisionRow = Omit<
  Decision,
  'tenantId' | 'idempotencyKey' | 'requestHash' | 'reviewToldAt' | 'expiryToldAt' | 'useKey' | JsonColumn
> &
  Readonly<Record<JsonColumn, unknown>> &
  Pick<DecisionRecord, 'threadId'>

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
  const find = approved.length > 0 ? await actorsAmong(client, tenantId, actorIds) : findNone
  const now = rows.some(({ expiresAt }) => expiresAt !== null) ? await readTime(client) : NEVER
  return rows.map((row) => decisionRecord(row, rulesOf(row), find, now))
}

const isOpen = ({ status }: DecisionRow) => (status as DecisionStatus) === 'proposed'

/** Reads the time of the database, in whole milliseconds. */
async function readTime(client: Pick<Transaction, '$queryRaw'>): Promise<Date> {
  const [row] = await client.$queryRaw<[{ now: Date }]>`SELECT date_trunc('milliseconds', clock_timestamp()) AS now`
  return row.now
}

/** The time for decisions that do not expire. */
const NEVER = new Date(0)

/** A decision in its state at proposal, also the answer to a repeated proposal. */
export const asProposed = (row: ProposalRow): DecisionRecord =>
  decisionRecord(
    { ...row, ...UNSETTLED, digest: row.action && actionFrom(JSON.parse(row.action)).digest },
    rulesIn(row),
    findNone,
    row.createdAt,
  )

/** The columns that a proposal fills. */
export type ProposalRow = Omit<DecisionRow, keyof typeof UNSETTLED | 'digest'>

const UNSETTLED = {
  status: 'proposed' satisfies DecisionStatus,
  resolvedBy: null,
  resolvedAt: null,
  resolution: null,
  settledBy: null,
  supersededBy: null,
  approvedBy: [],
  requiredApprovals: null,
  givenApprovals: null,
  approvalsNotCounted: null,
  option: null,
  edit: null,
  usedBy: null,
  usedAt: null,
  threadId: null,
}

/** A decision in its state after its use, also the answer to a repeated use. */
export const asUsed = (row: DecisionRow, rules: ApprovalRules): DecisionRecord =>
  decisionRecord({ ...row, supersededBy: null }, rules, findNone, row.createdAt)

/** For an open decision, `find` must know the proposer and the approvers. */
export function decisionRecord(row: DecisionRow, rules: ApprovalRules, find: Find, now: Date): DecisionRecord {
  const rulesAtProposal = rulesIn(row)
  const authorization = authorizationOf(row)
  return {
    ...authorization,
    isExpired: isExpired(authorization, now),
    decisionId: row.decisionId,
    spaceId: row.spaceId,
    proposedBy: row.proposedBy,
    text: row.text,
    resolvedBy: row.resolvedBy,
    resolvedAt: row.resolvedAt,
    resolution: row.resolution,
    createdAt: row.createdAt,
    postedBy: row.postedBy,
    settledBy: row.settledBy,
    assignees: row.assignees,
    supersedes: row.supersedes,
    reviewAt: row.reviewAt,
    threadId: row.threadId,
    rulesAtProposal,
    approvals: isOpen(row)
      ? countApprovals([rules, rulesAtProposal], row.approvedBy.map(find), find(row.postedBy))
      : approvalsThen(row),
  }
}

const authorizationOf = (row: DecisionRow): Authorization => ({
  status: row.status as DecisionStatus,
  options: row.options === null ? null : optionsFrom(row.options),
  option: row.option,
  action: row.action === null ? null : actionFrom(JSON.parse(row.action)),
  edit: editOf(row),
  expiresAt: row.expiresAt,
  usedBy: row.usedBy,
  usedAt: row.usedAt,
  supersededBy: row.supersededBy,
})

const editOf = ({ edit, digest }: DecisionRow): ActionEdit | null =>
  edit === null || digest === null ? null : { arguments: JSON.parse(edit) as JsonObject, digest }

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

const rulesIn = ({ rulesAtProposal }: Pick<DecisionRow, 'rulesAtProposal'>): SettleRules => rulesFrom(rulesAtProposal)
