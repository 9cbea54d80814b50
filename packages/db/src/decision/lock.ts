import { type TenantId, unknown } from '@collab-spaces/domain'
import { columnsOf } from '../connection/columns.js'
import type { Transaction } from '../connection/store-context.js'
import { type Decision, Prisma } from '../generated/client.js'

/** The Prisma key of a decision. */
export const primaryKey = (tenantId: TenantId, spaceId: string, decisionId: string) => ({
  tenantId_spaceId_decisionId: { tenantId, spaceId, decisionId },
})

/** The columns of a decision, in a raw statement. */
export const COLUMNS = columnsOf(Prisma.DecisionScalarFieldEnum)

/** Locks the row of a decision until the end of the transaction. Lock order: first the space, then the decision. */
export async function lockDecision(tx: Transaction, tenantId: TenantId, spaceId: string, decisionId: string) {
  const [row] = await tx.$queryRaw<Decision[]>`
    SELECT ${COLUMNS} FROM decisions
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
