import { requireLocalTenant, type TenantId, type TenantStatus } from '@collab-spaces/domain'
import type { Transaction } from '../connection/store-context.js'

/** The statuses of a tenant that is here as a whole. Triggers refuse changes to the rows of all others: see the migration. */
export const IN_SERVICE = `IN ('active', 'suspended')`

/**
 * Whether a tenant is in service here. Every statement that changes rows of several tenants needs this condition: one row of
 * a tenant that moves, or has moved away, would fail it for the others.
 */
export const isInService = (tenantId: string) =>
  `EXISTS (SELECT FROM tenants h WHERE h.tenant_id = ${tenantId} AND h.status ${IN_SERVICE})`

/** Returns the tenants in service here that actors are or were in. */
export async function tenantsOf(tx: Transaction, actorIds: readonly string[]): Promise<TenantId[]> {
  const rows = await tx.$queryRawUnsafe<{ tenantId: TenantId }[]>(
    `SELECT t.tenant_id::text AS "tenantId" FROM tenants t WHERE t.status ${IN_SERVICE} AND EXISTS (
       SELECT FROM memberships m WHERE m.tenant_id = t.tenant_id AND m.actor_id = ANY ($1::text[]))`,
    actorIds,
  )
  return rows.map(({ tenantId }) => tenantId)
}

/** Throws for a tenant on another installation. For callers without a credential, which would be refused. */
export async function requireHere(tx: Transaction, tenantId: TenantId): Promise<void> {
  const tenant = await tx.tenant.findUnique({ where: { tenantId }, select: { status: true, location: true } })
  if (tenant) requireLocalTenant({ tenantStatus: tenant.status as TenantStatus, tenantLocation: tenant.location })
}
