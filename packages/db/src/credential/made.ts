import { type Lineage, type MadeItem, type MadeKind, type TenantId, withoutSecrets } from '@collab-spaces/domain'
import { isInService } from '../access/in-service.js'
import type { Transaction } from '../connection/store-context.js'
import { Prisma } from '../generated/client.js'
import { stoppable } from '../stop/stop.js'

/** The actor whose credentials something was made with, and the tenant that it is in now. */
export interface Maker {
  readonly actorId: string
  readonly tenantId: TenantId
}

/** Something that acts as long as the credential it was made with. */
export interface MadeRow extends MadeItem {
  readonly createdWith: Lineage | null
}

/**
 * The things that were made with credentials of an actor, or of its agents, and can still act: oldest first. `ender` is
 * who ends them, or would: the addresses of people are for themselves. Only those with one of these names in their lineage, or all. A new kind of thing belongs
 * here and into `end.ts`.
 */
export async function readMade(
  tx: Transaction,
  { actorId, tenantId }: Maker,
  ender: string,
  names: readonly string[] | null = null,
): Promise<MadeRow[]> {
  const rows = await tx.$queryRaw<(MadeRow & { readonly kind: MadeKind })[]>`
    WITH agents AS (
      SELECT a.*, array_cat(a.created_with, k.created_with) AS lineage FROM actors a LEFT JOIN api_keys k USING (actor_id)
      WHERE a.sponsor_id = ${actorId} AND a.deleted_at IS NULL
    ), made AS (
      SELECT kind, pat_id AS id, name, actor_id, created_at, created_with FROM personal_access_tokens
      WHERE (actor_id = ${actorId} OR actor_id IN (SELECT actor_id FROM agents))
        AND revoked_at IS NULL AND coalesce(expires_at > now(), true)
      UNION ALL
      SELECT 'passkey', passkey_id, name, actor_id, created_at, created_with FROM passkeys WHERE actor_id = ${actorId}
      UNION ALL
      SELECT 'identity', identity_id, CASE WHEN actor_id = ${ender} THEN email END, actor_id, created_at, created_with
      FROM identities
      -- An identity stays, as its human could not sign in to the same account without it.
      WHERE actor_id = ${actorId} AND cardinality(created_with) > 0
      UNION ALL
      SELECT 'api_key', actor_id, NULL, actor_id, created_at, created_with FROM api_keys
      WHERE actor_id = ${actorId} AND revoked_at IS NULL
      UNION ALL
      SELECT 'agent', actor_id, display_name, sponsor_id, created_at, lineage FROM agents WHERE ${stoppable(ender)}
      UNION ALL
      SELECT 'agent_code', code_id, display_name, sponsor_id, created_at, created_with FROM agent_codes
      WHERE sponsor_id = ${actorId} AND revoked_at IS NULL AND redeemed_at IS NULL AND expires_at > now()
        AND ${Prisma.raw(isInService('agent_codes.tenant_id'))}
      UNION ALL
      SELECT 'invite', invite_id, email, created_by, created_at, created_with FROM invites
      WHERE created_by = ${actorId} AND revoked_at IS NULL AND redeemed_at IS NULL AND expires_at > now()
        AND ${Prisma.raw(isInService('invites.tenant_id'))}
      UNION ALL
      SELECT 'notification_channel', channel_id::text, coalesce(name, CASE WHEN actor_id = ${ender} THEN address END),
        actor_id, created_at, created_with
      FROM notification_channels WHERE tenant_id = ${tenantId}::uuid AND actor_id = ${actorId}
      UNION ALL
      SELECT 'webhook', webhook_id, url, owner_id, created_at, created_with FROM webhooks
      WHERE tenant_id = ${tenantId}::uuid AND disabled_at IS NULL AND coalesce(expires_at > now(), true)
        AND (owner_id = ${actorId} OR owner_id IN (SELECT actor_id FROM agents))
    )
    SELECT kind, id, name, actor_id AS "actorId", created_with AS "createdWith" FROM made
    WHERE ${names === null ? Prisma.sql`true` : Prisma.sql`created_with && ${[...names]}`}
    ORDER BY created_at, id`
  return rows.map((row) =>
    row.kind === 'webhook' && row.name !== null ? { ...row, name: withoutSecrets(row.name) } : row,
  )
}
