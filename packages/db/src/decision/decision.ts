import {
  type ActionEdit,
  approversAfter,
  type Choice,
  type DecisionAction,
  type DecisionStatus,
  type HeldClaim,
  isUuid,
  type JsonObject,
  type ReadableSpace,
  requireNotSuperseded,
  type SettledStatus,
  type SettleRules,
  type TenantId,
  unknown,
  type Verdict,
  type Viewer,
} from '@collab-spaces/domain'
import { actionDigest } from '@collab-spaces/merkle'
import type pg from 'pg'
import {
  type AccessParameters,
  accessColumns,
  accessParameters,
  asReadable,
  MAY_READ_IN_BATCH,
} from '../access/view.js'
import { lockWriter } from '../access/writer.js'
import { type NewAct, type NextAct, nextAct, recordActs } from '../act/act.js'
import { batched, inOrder, type Ordinal } from '../connection/batched.js'
import { arraysOf } from '../connection/columns.js'
import { type Listing, listing, type Part } from '../connection/listing.js'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import type { Decision, PrismaClient } from '../generated/client.js'
import { pulling } from '../log/pull.js'
import { lockSpace } from '../space/lock.js'
import { endRun, settleRulesOf } from '../space/policy.js'
import type { SpaceRecord } from '../space/record.js'
import { requireWorkClaim } from '../work-claim/work-claim.js'
import { actorsAmong, type Find } from './approver.js'
import { assignedKeys } from './assignment.js'
import type { DecisionKey } from './key.js'
import { type DiscussedDecision, lockDecision, lockPredecessor, primaryKey } from './lock.js'
import { isNoticeDue, type RaisedNotices, raiseDueNotices, withdrawProposal } from './notice.js'
import { type DecisionWriter, type NotifyingDecision, type Proposal, propose } from './proposal.js'
import {
  approvalColumns,
  type DecisionRecord,
  type DecisionRow,
  decisionRecord,
  decisionRecords,
  type MaybeRules,
  rulesNow,
} from './record.js'
import { wakeAssignees } from './snooze.js'
import { decisionUses } from './use.js'
import { decisionWindows } from './window.js'

export interface Settlement extends Choice {
  readonly status: SettledStatus
  readonly resolvedBy: string
  readonly resolution: string
}

export interface Review {
  readonly verdict: Verdict
  readonly note: string | null
}

export interface AssignedDecisions {
  readonly decisions: readonly DecisionRecord[]
  readonly decisionCount: number
}

export type DecisionCounts = Readonly<Record<DecisionStatus, number>>

/** A lookup of a decision by id. */
interface DecisionQuestion extends AccessParameters {
  readonly decisionId: string
}

const KEYS_PER_STATEMENT = 50

const decisionsByKey = (pool: pg.Pool) =>
  batched({ most: KEYS_PER_STATEMENT }, async (questions: readonly DecisionQuestion[]) => {
    const { rows } = await pool.query<DecisionRow & MaybeRules & Ordinal>({
      name: 'decisions',
      text: `SELECT a.ordinal, d.decision_id AS "decisionId", d.space_id AS "spaceId", d.proposed_by AS "proposedBy", d.text,
           d.status, d.resolved_by AS "resolvedBy", d.resolved_at AS "resolvedAt", d.resolution,
           d.created_at AS "createdAt", d.posted_by AS "postedBy", d.settled_by AS "settledBy", d.assignees, d.supersedes,
           d.superseded_by AS "supersededBy", d.review_at AS "reviewAt", d.approved_by AS "approvedBy",
           d.required_approvals AS "requiredApprovals", d.given_approvals AS "givenApprovals",
           d.approvals_not_counted AS "approvalsNotCounted", d.rules_at_proposal AS "rulesAtProposal", d.options,
           d.option, d.action, d.edit, d.digest, d.expires_at AS "expiresAt", d.used_by AS "usedBy",
           d.used_at AS "usedAt", t.thread_id AS "threadId", p.approvals, p.independent
         FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bool[], $5::uuid[])
           WITH ORDINALITY AS a(tenant_id, space_id, actor_id, is_guest, decision_id, ordinal)
         JOIN decisions d USING (tenant_id, space_id, decision_id)
         JOIN spaces s USING (tenant_id, space_id)
         LEFT JOIN space_policies p USING (tenant_id, space_id)
         LEFT JOIN threads t USING (tenant_id, space_id, decision_id)
         WHERE ${MAY_READ_IN_BATCH}`,
      values: [...accessColumns(questions), questions.map(({ decisionId }) => decisionId)],
    })
    return inOrder(rows, questions.length)
  })

const ORDER = [{ createdAt: 'asc' as const }, { decisionId: 'asc' as const }]

/** Rows per page. Few, because a decision may take half a megabyte. */
const PAGE_SIZE = 20

/** The sort key of a decision in lists. */
type DecisionPlace = Pick<DecisionRecord, 'createdAt' | 'decisionId'>

/** The rows after a given row, in list order. */
const behind = (row: DecisionPlace) => ({
  OR: [{ createdAt: { gt: row.createdAt } }, { createdAt: row.createdAt, decisionId: { gt: row.decisionId } }],
})

/** The columns that an act on a decision writes. */
type Changes = Partial<
  Pick<
    Decision,
    'status' | 'resolvedBy' | 'resolvedAt' | 'resolution' | 'option' | 'edit' | 'digest' | 'settledBy' | 'approvedBy'
  > &
    ReturnType<typeof approvalColumns>
>

/** Adds the threads in which decisions are discussed. */
async function withThreads(
  prisma: PrismaClient,
  tenantId: TenantId,
  rows: readonly Decision[],
): Promise<DiscussedDecision[]> {
  const spaceId = { in: [...new Set(rows.map((row) => row.spaceId))] }
  const decisionId = { in: rows.map((row) => row.decisionId) }
  const threads = await prisma.thread.findMany({ where: { tenantId, spaceId, decisionId } })
  const threadIds = new Map(threads.map((thread) => [thread.decisionId, thread.threadId]))
  return rows.map((row) => ({ ...row, threadId: threadIds.get(row.decisionId) ?? null }))
}

/** Locks the space, then the decision, and writes the result of `decide`. 404 for an unknown decision. */
async function change(
  prisma: PrismaClient,
  author: DecisionWriter,
  spaceId: string,
  decisionId: string,
  claim: HeldClaim | undefined,
  decide: (tx: Transaction, row: DiscussedDecision, rules: SettleRules, next: NextAct, find: Find) => Promise<Changes>,
): Promise<DecisionRecord> {
  if (!isUuid(decisionId)) throw unknown('Decision')
  const { tenantId } = author
  return prisma.$transaction(async (tx) => {
    await lockWriter(tx, author)
    const row = (await lockSpace(tx, author, spaceId)) && (await lockDecision(tx, tenantId, spaceId, decisionId))
    if (!row) throw unknown('Decision')
    const rules = await settleRulesOf(tx, tenantId, spaceId)
    const find = await actorsAmong(tx, tenantId, [...row.approvedBy, row.postedBy, author.actorId])
    const next = await nextAct(tx, tenantId, spaceId)
    const data = await decide(tx, row, rules, next, find)
    // Last, as an author without the right to decide gets 403.
    await requireWorkClaim(tx, author, spaceId, claim)
    const where = primaryKey(tenantId, spaceId, decisionId)
    await tx.decision.update({ where, data, select: { decisionId: true } })
    return decisionRecord({ ...row, ...data }, rules, find, next.at)
  })
}

function decisionReads({ prisma, requests, long }: StoreContext) {
  const findOne = decisionsByKey(requests)
  const findRows = async (viewer: Viewer, keys: readonly DecisionKey[]) => {
    const found = keys.map(({ spaceId, decisionId }) => findOne({ ...accessParameters(viewer, spaceId), decisionId }))
    return (await Promise.all(found)).filter((row) => row !== null)
  }

  return {
    async find(viewer: Viewer, spaceId: string, decisionId: string): Promise<(DecisionRecord & ReadableSpace) | null> {
      if (!isUuid(decisionId)) return null
      const row = await findOne({ ...accessParameters(viewer, spaceId), decisionId })
      const [decision] = row ? await decisionRecords(prisma, viewer.tenantId, [row], rulesNow) : []
      return decision ? Object.assign(decision, asReadable(viewer, spaceId)) : null
    },

    /** By `created_at` ascending. */
    async list(
      { tenantId, spaceId }: ReadableSpace,
      status?: DecisionStatus,
      part?: Part<DecisionPlace>,
    ): Promise<Listing<DecisionRecord>> {
      const rules = await settleRulesOf(prisma, tenantId, spaceId)
      return listing(
        PAGE_SIZE,
        async (after: DecisionPlace | null, take) => {
          const where = { tenantId, spaceId, ...(status && { status }), ...(after && behind(after)) }
          const rows = await prisma.decision.findMany({ where, orderBy: ORDER, take })
          return decisionRecords(prisma, tenantId, await withThreads(prisma, tenantId, rows), () => rules)
        },
        part,
      )
    },

    /** Open decisions that have expired do not count. */
    async count({ tenantId, spaceId }: ReadableSpace): Promise<DecisionCounts> {
      const { rows } = await requests.query<{ status: DecisionStatus; count: number }>({
        name: 'decision_counts',
        text: `SELECT status, count(*)::int AS count FROM decisions
               WHERE tenant_id = $1 AND space_id = $2
                 AND (status <> 'proposed' OR coalesce(expires_at > clock_timestamp(), true))
               GROUP BY status`,
        values: [tenantId, spaceId],
      })
      const counted = Object.fromEntries(rows.map(({ status, count }) => [status, count]))
      return { proposed: 0, resolved: 0, rejected: 0, ...counted }
    },

    /**
     * The oldest open decisions of a viewer as assignee, snoozed or not, and the number of all: in one space, or in all
     * visible ones if null.
     */
    async assignedTo(viewer: Viewer, wanted: string | null, snoozed: boolean): Promise<AssignedDecisions> {
      const keys = await assignedKeys(requests, viewer, wanted, snoozed)
      // A concurrently settled decision is no longer pending.
      const open = (await findRows(viewer, keys)).filter(({ status }) => status === 'proposed')
      const settled = keys.length - open.length
      const decisions = await decisionRecords(prisma, viewer.tenantId, open, rulesNow)
      return { decisions, decisionCount: (keys[0]?.count ?? 0) - settled }
    },

    /** The decisions with these keys, in their order, without those that the viewer may no longer read. */
    async ofKeys(viewer: Viewer, keys: readonly DecisionKey[]): Promise<Listing<DecisionRecord>> {
      const page = async (start: number) => {
        const rows = await findRows(viewer, keys.slice(start, start + PAGE_SIZE))
        return decisionRecords(prisma, viewer.tenantId, rows, rulesNow)
      }
      let next = PAGE_SIZE
      const pull = () => {
        const start = next
        next += PAGE_SIZE
        return start < keys.length ? page(start) : Promise.resolve(null)
      }
      return { first: await page(0), rest: keys.length > PAGE_SIZE ? pulling(pull) : null }
    },

    /** Returns the keys of decisions that are settled, superseded or expired. */
    async settledOf(keys: readonly DecisionKey[]): Promise<DecisionKey[]> {
      const { rows } = await long.query<DecisionKey>({
        name: 'settled_decisions',
        text: `SELECT tenant_id AS "tenantId", space_id AS "spaceId", decision_id AS "decisionId"
               FROM unnest($1::uuid[], $2::text[], $3::uuid[]) AS a(tenant_id, space_id, decision_id)
               JOIN decisions USING (tenant_id, space_id, decision_id)
               WHERE status <> 'proposed' OR superseded_by IS NOT NULL
                 OR coalesce(expires_at <= clock_timestamp(), false)`,
        values: arraysOf(keys, 'tenantId', 'spaceId', 'decisionId'),
      })
      return rows
    },
  }
}

const decisionWrites = ({ prisma, long }: StoreContext) => ({
  /**
   * `allow` may throw to reject a new proposal. A repeated proposal is answered regardless of the space status. Throws
   * for assignees outside the tenant, and for an unknown or already superseded predecessor.
   */
  propose: (
    author: DecisionWriter,
    spaceId: string,
    proposal: Proposal,
    allow: (space: SpaceRecord) => void,
  ): Promise<NotifyingDecision> => propose(prisma, author, spaceId, proposal, allow),

  /** Raises notices for a batch of decisions whose `review_at` or `expires_at` has passed. */
  raiseDueNotices: async (): Promise<RaisedNotices> =>
    (await isNoticeDue(long)) ? prisma.$transaction(raiseDueNotices) : { owners: [], expired: [], more: false },

  /**
   * Locks the space, then the decision, and settles it. A resolution supersedes the predecessor in the same transaction.
   * `allow` gets the decision, the rules of the space and the time at that moment, and may throw to reject. 404 for an
   * unknown decision.
   */
  async settle(
    author: DecisionWriter,
    spaceId: string,
    wantedId: string,
    settlement: Settlement,
    claim: HeldClaim | undefined,
    allow: (decision: DecisionRecord, rules: SettleRules, at: Date) => void,
  ): Promise<DecisionRecord> {
    const { tenantId } = author
    return change(prisma, author, spaceId, wantedId, claim, async (tx, row, rules, next, find) => {
      const { at } = next
      const decision = decisionRecord(row, rules, find, at)
      allow(decision, rules, at)
      const { arguments: edited, ...settled } = settlement
      const { status } = settled
      const { supersedes, decisionId, approvals } = decision
      const edit = editOf(decision.action, edited)
      const acts: NewAct[] = [{ decisionId, author, content: { kind: 'settled', ...settled, edit, rules, approvals } }]
      if (status === 'resolved' && supersedes !== null) {
        await supersede(tx, tenantId, spaceId, supersedes, decisionId)
        acts.push({ decisionId: supersedes, author, content: { kind: 'superseded', supersededBy: decisionId } })
      }
      await recordActs(tx, tenantId, spaceId, next, acts)
      await withdrawProposal(tx, { tenantId, spaceId, decisionId }, decision.assignees)
      if (author.actorType === 'human') await endRun(tx, tenantId, spaceId)
      return {
        ...settled,
        ...(edit && { edit: JSON.stringify(edit.arguments), digest: edit.digest }),
        resolvedAt: at,
        settledBy: author.actorId,
        ...approvalColumns(approvals),
      }
    })
  },

  /**
   * Records the verdict of a reviewer, with the same lock order. `allow` may throw to reject. `notified` are the assignees
   * whose snooze it ends.
   */
  async review(
    author: DecisionWriter,
    spaceId: string,
    wantedId: string,
    { verdict, note }: Review,
    claim: HeldClaim | undefined,
    allow: (decision: DecisionRecord) => void,
  ): Promise<NotifyingDecision> {
    const { tenantId } = author
    let notified: readonly string[] = []
    const reviewed = await change(prisma, author, spaceId, wantedId, claim, async (tx, row, rules, next, find) => {
      allow(decisionRecord(row, rules, find, next.at))
      const { decisionId } = row
      const approvers = approversAfter(row.approvedBy.map(find), find(author.actorId), verdict)
      await recordActs(tx, tenantId, spaceId, next, [
        { decisionId, author, content: { kind: 'reviewed', verdict, note } },
      ])
      notified = await wakeAssignees(tx, { tenantId, spaceId, decisionId }, row.assignees, author.actorId)
      return { approvedBy: approvers.map(({ actorId }) => actorId) }
    })
    return { ...reviewed, notified }
  },
})

export const decisionStore = (context: StoreContext) => ({
  ...decisionWindows(context.requests),
  ...decisionReads(context),
  ...decisionWrites(context),
  ...decisionUses(context),
})

/** The edit of an action; null for arguments equal to the proposed ones. */
function editOf(action: DecisionAction | null, edited: JsonObject | null): ActionEdit | null {
  if (action === null || edited === null) return null
  const digest = actionDigest({ type: action.type, arguments: edited })
  return digest === action.digest ? null : { arguments: edited, digest }
}

async function supersede(
  tx: Transaction,
  tenantId: TenantId,
  spaceId: string,
  predecessorId: string,
  supersededBy: string,
): Promise<void> {
  const predecessor = await lockPredecessor(tx, tenantId, spaceId, predecessorId)
  requireNotSuperseded(predecessor)
  await tx.decision.update({ where: primaryKey(tenantId, spaceId, predecessorId), data: { supersededBy } })
  const key = { tenantId, spaceId, decisionId: predecessorId }
  await withdrawProposal(tx, key, predecessor.assignees)
}
