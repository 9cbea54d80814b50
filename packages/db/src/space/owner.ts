import { invalid, type TenantId } from '@collab-spaces/domain'
import type { Transaction } from '../connection/store-context.js'
import { Prisma } from '../generated/client.js'

/**
 * The owners of a space `s`, by id: the named ones, or else its creator or the human whose agent created it. Only members
 * of its tenant count.
 */
export const OWNERS = `
  ARRAY(
    SELECT a.actor_id FROM (
      SELECT o.actor_id FROM space_owners o WHERE o.tenant_id = s.tenant_id AND o.space_id = s.space_id
      UNION ALL
      SELECT coalesce(c.sponsor_id, c.actor_id) FROM actors c
      WHERE c.actor_id = s.created_by
        AND NOT EXISTS (SELECT FROM space_owners o WHERE o.tenant_id = s.tenant_id AND o.space_id = s.space_id)
    ) o JOIN actors a USING (actor_id)
    WHERE a.tenant_id = s.tenant_id AND a.deleted_at IS NULL ORDER BY a.actor_id COLLATE "C"
  )`

/** The owners of a locked space, in the same transaction. */
export async function ownersNow(tx: Transaction, tenantId: TenantId, spaceId: string): Promise<string[]> {
  const [row] = await tx.$queryRaw<{ owners: string[] }[]>`
    SELECT ${Prisma.raw(OWNERS)} AS owners FROM spaces s
    WHERE tenant_id = ${tenantId}::uuid AND space_id = ${spaceId}`
  return row?.owners ?? []
}

/** Throws unless all of these are humans of a tenant; the error names the first other one. */
export async function requireHumans(
  tx: Transaction,
  tenantId: TenantId,
  field: string,
  actorIds: readonly string[],
): Promise<void> {
  const rows = await tx.$queryRaw<{ actorId: string }[]>`
    SELECT actor_id AS "actorId" FROM actors
    WHERE actor_id = ANY (${[...actorIds]}) AND tenant_id = ${tenantId}::uuid AND actor_type = 'human'
      AND deleted_at IS NULL
    ORDER BY actor_id FOR KEY SHARE`
  const humans = new Set(rows.map(({ actorId }) => actorId))
  const other = actorIds.findIndex((actorId) => !humans.has(actorId))
  if (other !== -1) throw invalid(`${field}.${other}`, 'must be the id of a human in this tenant')
}

/** Replaces the owners of a locked space. */
export async function writeOwners(
  tx: Transaction,
  tenantId: TenantId,
  spaceId: string,
  owners: readonly string[],
): Promise<void> {
  await tx.$executeRaw`DELETE FROM space_owners WHERE tenant_id = ${tenantId}::uuid AND space_id = ${spaceId}`
  await tx.$executeRaw`
    INSERT INTO space_owners (tenant_id, space_id, actor_id)
    SELECT ${tenantId}::uuid, ${spaceId}, unnest(${[...owners]}::text[])`
}
