import { type ActorRef, humanOf, type TenantId } from '@collab-spaces/domain'
import type { Transaction } from '../connection/store-context.js'

/** Whether one of the given actors, or its human, has blocked an actor or its human. */
export async function isBlocked(
  tx: Transaction,
  tenantId: TenantId,
  actor: ActorRef,
  actorIds: readonly string[],
): Promise<boolean> {
  const [row] = await tx.$queryRaw<[{ found: boolean }]>`
    SELECT EXISTS (
      SELECT FROM actors a JOIN blocks b ON b.actor_id = coalesce(a.sponsor_id, a.actor_id)
      WHERE a.actor_id = ANY (${[...actorIds]}) AND b.tenant_id = ${tenantId}::uuid
        AND b.blocked_id IN (${actor.actorId}, ${humanOf(actor)})
    ) AS found`
  return row.found
}
