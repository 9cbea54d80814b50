import { type TenantId, unknown } from '@collab-spaces/domain'
import { columnsOf } from '../connection/columns.js'
import type { Transaction } from '../connection/store-context.js'
import { type Decision, Prisma } from '../generated/client.js'

/** The Prisma key of a decision. */
export const primaryKey = (tenantId: TenantId, spaceId: string, decisionId: string) => ({
  tenantId_spaceId_decisionId: { tenantId, spaceId, decisionId },
})

/** A decision with the thread in which it is discussed, if any. */
export type DiscussedDecision = Decision & { readonly threadId: string | null }

/** The columns of a decision `d`, in a raw statement. */
export const COLUMNS = Prisma.sql`${columnsOf(Prisma.DecisionScalarFieldEnum)}, (
  SELECT t.thread_id FROM threads t
  WHERE t.tenant_id = d.tenant_id AND t.space_id = d.space_id AND t.decision_id = d.decision_id) AS "threadId"`

/** Locks the row of a decision until the end of the transaction. Lock order: first the space, then the decision. */
export async function lockDecision(tx: Transaction, tenantId: TenantId, spaceId: string, decisionId: string) {
  const [row] = await tx.$queryRaw<DiscussedDecision[]>`
    SELECT ${COLUMNS} FROM decisions d
    WHERE tenant_id = ${tenantId}::uuid AND space_id = ${spaceId} AND decision_id = ${decisionId}::uuid
    FOR NO KEY UPDATE`
  return row ?? null
}

/** Locks the decision to be superseded. 404 if it does not exist. */
export async function lockPredecessor(tx: Transaction, tenantId: TenantId, spaceId: string, decisionId: string) {
  const predecessor = await lockDecision(tx, tenantId, spaceId, decisionId)
  if (!predecessor) throw unknown('Decision')
  return predecessor
}
