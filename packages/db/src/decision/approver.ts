import type { ActorRef, PlacedApprover, TenantId } from '@collab-spaces/domain'
import type { Transaction } from '../connection/store-context.js'

/** An actor, its sponsor and its standing in a tenant. */
type PlacedActor = ActorRef & PlacedApprover

/** Looks up an actor by id. */
export type Find = (actorId: string) => PlacedActor

/** Loads actors by id, with their current standing in a tenant. */
export async function actorsAmong(
  tx: Pick<Transaction, '$queryRaw'>,
  tenantId: TenantId,
  actorIds: readonly string[],
): Promise<Find> {
  const rows = await tx.$queryRaw<PlacedActor[]>`
    SELECT actor_id AS "actorId", actor_type AS "actorType", sponsor_id AS "sponsorId",
      CASE WHEN deleted_at IS NOT NULL THEN 'deleted' WHEN tenant_id <> ${tenantId}::uuid THEN 'departed'
        WHEN disabled_at IS NOT NULL THEN 'disabled' WHEN stopped_at IS NOT NULL THEN 'stopped'
        ELSE 'present' END AS standing
    FROM actors WHERE actor_id = ANY (${[...new Set(actorIds)]})`
  const known = new Map(rows.map((row) => [row.actorId, row]))
  return (actorId) => known.get(actorId) ?? findNone(actorId)
}

/** Finds no actors: for decisions without approvals. */
export const findNone: Find = (actorId) => ({ actorId, actorType: 'human', sponsorId: null, standing: 'deleted' })
