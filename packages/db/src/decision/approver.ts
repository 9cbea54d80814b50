import type { PlacedApprover, Standing, TenantId } from '@collab-spaces/domain'
import type { Transaction } from '../connection/store-context.js'

/** Looks up an actor, its sponsor and its standing in a tenant. */
export type Find = (actorId: string) => PlacedApprover

interface ActorRow {
  readonly actorId: string
  readonly sponsorId: string | null
  readonly standing: Standing
}

/** Loads actors by id, with their current standing in a tenant. */
export async function actorsAmong(
  tx: Pick<Transaction, '$queryRaw'>,
  tenantId: TenantId,
  actorIds: readonly string[],
): Promise<Find> {
  const rows = await tx.$queryRaw<ActorRow[]>`
    SELECT actor_id AS "actorId", sponsor_id AS "sponsorId",
      CASE WHEN deleted_at IS NOT NULL THEN 'deleted' WHEN tenant_id <> ${tenantId}::uuid THEN 'departed'
        WHEN disabled_at IS NOT NULL THEN 'disabled' WHEN stopped_at IS NOT NULL THEN 'stopped'
        ELSE 'present' END AS standing
    FROM actors WHERE actor_id = ANY (${[...new Set(actorIds)]})`
  const known = new Map<string, PlacedApprover>(rows.map((row) => [row.actorId, row]))
  return (actorId) => known.get(actorId) ?? { actorId, sponsorId: null, standing: 'deleted' }
}
