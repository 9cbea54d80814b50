import {
  type AuditAction,
  DEFAULT_POLICY,
  type Member,
  type Policy,
  type SettleRules,
  type Settlers,
  shownPolicy,
  type TenantId,
  unknown,
  type Viewer,
} from '@collab-spaces/domain'
import { lockBearer, requireMembers } from '../access/lock.js'
import { readable } from '../access/view.js'
import { nextAct, recordActs } from '../act/act.js'
import { record } from '../audit/audit.js'
import type { StoreContext, Transaction } from '../connection/store-context.js'
import { Prisma, type SpacePolicy } from '../generated/client.js'
import { lockToGovern } from './lock.js'
import type { SpaceGovernor } from './record.js'

/** The policy of a space and the actor of its last change; null for the default. */
export interface PolicyRecord extends Policy {
  readonly changedBy: string | null
  readonly changedAt: Date | null
}

/** Derives the new policy from the current one, in a space with the given owners. May refuse by throwing. */
export type ChangePolicy = (policy: Policy, caller: Member, owners: readonly string[]) => Policy

export const policyStore = ({ prisma }: StoreContext) => ({
  /** Null for an unknown space. */
  find: (viewer: Viewer, spaceId: string): Promise<PolicyRecord | null> =>
    findPolicy(prisma, viewer.tenantId, spaceId, readable(viewer, spaceId)),

  /**
   * Locks the space and writes the policy that `change` returns: it applies to every later decision and event. A loop
   * guard restarts its count here. Throws if the credential has ended, and for newly `named` resolvers outside the
   * tenant; resolvers named earlier may have left. 404 for an unknown space.
   */
  async change(
    by: SpaceGovernor,
    spaceId: string,
    named: readonly string[],
    change: ChangePolicy,
  ): Promise<PolicyRecord> {
    const { tenantId } = by
    return prisma.$transaction(async (tx) => {
      const caller = await lockBearer(tx, by)
      const space = await lockToGovern(tx, by, spaceId)
      const before = space && (await findPolicy(tx, tenantId, spaceId))
      if (!space || !before) throw unknown('Space')
      const after = change(before, caller, space.owners)
      await requireMembers(tx, tenantId, named)
      return { ...after, ...(await changePolicy(tx, by, spaceId, { before, after })) }
    })
  },
})

/** Writes the policy of a locked space, and records the change. Returns its author and time. */
export async function changePolicy(
  tx: Transaction,
  by: SpaceGovernor,
  spaceId: string,
  { before, after }: { readonly before: Policy; readonly after: Policy },
): Promise<{ readonly changedBy: string; readonly changedAt: Date }> {
  const { actorId, tenantId } = by
  const next = await nextAct(tx, tenantId, spaceId)
  const changed = { changedBy: actorId, changedAt: next.at }
  await write(tx, tenantId, spaceId, after, changed)
  const content = { kind: 'policy_changed', before, after } as const
  await recordActs(tx, tenantId, spaceId, next, [{ decisionId: null, author: by, content }])
  const details = { before: shownPolicy(before), after: shownPolicy(after) }
  await record(tx, by, tenantId, 'space.policy_changed' satisfies AuditAction, [spaceId], details)
  return changed
}

/** The policy of a space that matches a condition. */
async function findPolicy(
  tx: Transaction,
  tenantId: TenantId,
  spaceId: string,
  condition: Prisma.Sql = Prisma.sql`true`,
): Promise<PolicyRecord | null> {
  const [row] = await tx.$queryRaw<(PolicyRow & { hasPolicy: boolean })[]>`
    SELECT s.guard_total AS "guardTotal", s.guard_per_agent AS "guardPerAgent", p.space_id IS NOT NULL AS "hasPolicy",
      p.who, p.named, p.approvals, p.independent, p.proposer_may_settle AS "proposerMaySettle",
      p.changed_by AS "changedBy", p.changed_at AS "changedAt"
    FROM spaces s LEFT JOIN space_policies p USING (tenant_id, space_id)
    WHERE s.tenant_id = ${tenantId}::uuid AND s.space_id = ${spaceId} AND ${condition}`
  if (!row) return null
  const { hasPolicy, guardTotal, guardPerAgent } = row
  return {
    settle: hasPolicy ? rulesOf(row) : DEFAULT_POLICY.settle,
    loopGuard: { total: guardTotal ?? 0, perAgent: guardPerAgent ?? 0 },
    changedBy: row.changedBy,
    changedAt: row.changedAt,
  }
}

interface PolicyRow extends Rules {
  readonly guardTotal: number | null
  readonly guardPerAgent: number | null
  readonly changedBy: string | null
  readonly changedAt: Date | null
}

/** The rules that settle decisions of a space. */
export async function settleRulesOf(tx: Transaction, tenantId: TenantId, spaceId: string): Promise<SettleRules> {
  const row = await tx.spacePolicy.findFirst({ where: { tenantId, spaceId } })
  return row ? rulesOf(row) : DEFAULT_POLICY.settle
}

async function write(
  tx: Transaction,
  tenantId: TenantId,
  spaceId: string,
  { settle, loopGuard }: Policy,
  changed: { readonly changedBy: string; readonly changedAt: Date },
): Promise<void> {
  const key = { tenantId, spaceId }
  const data = { ...settle, named: [...settle.named], ...changed }
  await tx.spacePolicy.upsert({ where: { tenantId_spaceId: key }, create: { ...key, ...data }, update: data })
  const isGuarded = loopGuard.total > 0 || loopGuard.perAgent > 0
  await tx.space.update({
    where: { tenantId_spaceId: key },
    data: isGuarded
      ? { guardTotal: loopGuard.total, guardPerAgent: loopGuard.perAgent, agentRuns: {} }
      : { guardTotal: null, guardPerAgent: null, agentRuns: Prisma.DbNull },
  })
}

/** Resets the loop guard of a locked space, if it has one, so that agents can post again. */
export async function endRun(tx: Transaction, tenantId: TenantId, spaceId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE spaces SET agent_runs = '{}'
    WHERE tenant_id = ${tenantId}::uuid AND space_id = ${spaceId} AND agent_runs IS NOT NULL`
}

type Rules = Pick<SpacePolicy, 'who' | 'named' | 'approvals' | 'independent' | 'proposerMaySettle'>

const rulesOf = ({ who, named, approvals, independent, proposerMaySettle }: Rules): SettleRules => ({
  who: who as Settlers,
  named,
  approvals,
  independent,
  proposerMaySettle,
})
