import {
  countApprovals,
  type HeldClaim,
  isUuid,
  REDACTED_TEXT,
  requireStillApproved,
  requireUsable,
  type SettleRules,
  tooBusy,
  unknown,
  writeError,
} from '@collab-spaces/domain'
import { lockWriter } from '../access/writer.js'
import { nextAct, recordActs } from '../act/act.js'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import type { Decision } from '../generated/client.js'
import { lockSpace } from '../space/lock.js'
import { settleRulesOf } from '../space/policy.js'
import { requireWorkClaim } from '../work-claim/work-claim.js'
import { actorsAmong } from './approver.js'
import { COLUMNS, type DiscussedDecision, lockDecision } from './lock.js'
import type { DecisionWriter } from './proposal.js'
import { asUsed, type DecisionRecord, decisionRecord } from './record.js'

/** The use of the action of a decision. */
export interface Use {
  readonly digest: string
  readonly idempotencyKey: string | undefined
  readonly claim: HeldClaim | undefined
}

export const decisionUses = ({ prisma }: StoreContext) => ({
  /**
   * Uses the action of a decision, once ever: locks the space, then the decision. A repeated use with its key is answered
   * regardless of what happened since. 404 for an unknown decision; throws the refusals of `requireUsable`.
   */
  async use(author: DecisionWriter, spaceId: string, wantedId: string, use: Use): Promise<DecisionRecord> {
    if (!isUuid(wantedId)) throw unknown('Decision')
    const { tenantId } = author
    return prisma.$transaction(async (tx) => {
      await lockWriter(tx, author)
      const row = (await lockSpace(tx, author, spaceId)) && (await lockDecision(tx, tenantId, spaceId, wantedId))
      if (!row) throw unknown('Decision')
      const rules = await settleRulesOf(tx, tenantId, spaceId)
      if (await isRepeated(tx, author, row, use)) return asUsed(row, rules)
      await requireWorkClaim(tx, author, spaceId, use.claim)
      return useOnce(tx, author, row, rules, use)
    })
  },
})

/** Whether this is a retry of the use of a decision, whose digest may be erased. 409 for a key of another use. */
async function isRepeated(
  tx: Transaction,
  { actorId }: DecisionWriter,
  { tenantId, spaceId, decisionId, digest }: Decision,
  use: Use,
): Promise<boolean> {
  if (use.idempotencyKey === undefined) return false
  // The space is locked, so no concurrent request can use the key.
  const earlier = await tx.decision.findFirst({
    where: { tenantId, spaceId, usedBy: actorId, useKey: use.idempotencyKey },
    select: { decisionId: true },
  })
  if (!earlier) return false
  if (earlier.decisionId === decisionId && [use.digest, REDACTED_TEXT].includes(digest ?? '')) return true
  throw writeError('reused_idempotency_key')
}

/** Retries if an actor is stopped, disabled or gone between the rules and the statement. */
const TRIES = 3

async function useOnce(
  tx: Transaction,
  author: DecisionWriter,
  row: DiscussedDecision,
  rules: SettleRules,
  use: Use,
): Promise<DecisionRecord> {
  const { tenantId } = author
  const { spaceId, decisionId } = row
  for (let tries = 0; tries < TRIES; tries++) {
    const next = await nextAct(tx, tenantId, spaceId)
    const { at } = next
    const settledBy = row.settledBy ?? ''
    const find = await actorsAmong(tx, tenantId, [...row.approvedBy, row.postedBy, settledBy])
    const decision = decisionRecord(row, rules, find, at)
    requireUsable(author, decision, find(row.postedBy), use.digest, at)
    const bothRules = [rules, decision.rulesAtProposal]
    const approvals = countApprovals(bothRules, row.approvedBy.map(find), find(row.postedBy))
    requireStillApproved(find(settledBy), { ...decision, approvals }, rules)
    const uncounted = new Set(approvals.notCounted.map(({ actorId }) => actorId))
    const approvers = approvals.by.filter((actorId) => !uncounted.has(actorId))
    const [used] = await markUsed(tx, author, row, { use, at, approvers: [...approvers, settledBy] })
    if (!used) continue
    const content = { kind: 'used', digest: use.digest, rules, approvals } as const
    await recordActs(tx, tenantId, spaceId, next, [{ decisionId, author, content }])
    return asUsed(used, rules)
  }
  throw tooBusy()
}

interface MarkedUse {
  readonly use: Use
  readonly at: Date
  /** The settler, and the actors whose approvals count. */
  readonly approvers: readonly string[]
}

/**
 * Marks a decision as used if all that its use depends on still holds when the statement runs. Rules need no check: the
 * lock of the space keeps them.
 */
const markUsed = (
  tx: Transaction,
  { tenantId, actorId }: DecisionWriter,
  { spaceId, decisionId }: Decision,
  { use, at, approvers }: MarkedUse,
): Promise<DiscussedDecision[]> => tx.$queryRaw<DiscussedDecision[]>`
  UPDATE decisions d SET used_by = ${actorId}, used_at = ${at}, use_key = ${use.idempotencyKey ?? null}
  WHERE tenant_id = ${tenantId}::uuid AND space_id = ${spaceId} AND decision_id = ${decisionId}::uuid
    AND status = 'resolved' AND used_at IS NULL AND superseded_by IS NULL AND digest = ${use.digest}
    AND coalesce(expires_at > clock_timestamp(), true)
    AND (options IS NULL OR EXISTS (
      SELECT FROM jsonb_array_elements(options) o WHERE o ->> 'id' = option AND o ->> 'denies' = 'false'))
    AND NOT EXISTS (
      SELECT FROM memberships m WHERE m.tenant_id = d.tenant_id AND m.actor_id = ${actorId} AND m.is_stopped)
    AND NOT EXISTS (
      SELECT FROM unnest(${[...approvers]}::text[]) AS c(actor_id) LEFT JOIN actors a USING (actor_id)
      WHERE a.tenant_id IS DISTINCT FROM d.tenant_id OR num_nonnulls(a.deleted_at, a.disabled_at, a.stopped_at) > 0)
  RETURNING ${COLUMNS}`
