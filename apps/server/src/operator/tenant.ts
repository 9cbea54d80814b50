import type { Database, TenantRecord } from '@collab-spaces/db'
import { asTenantId, isUuid, type TenantId, unknown } from '@collab-spaces/domain'

/** Returns the tenant with an ID, which the shared tenant has, too; 404 for an unknown one. */
export async function requireTenant({ tenants }: Database, tenantId: string): Promise<TenantRecord> {
  const tenant = isUuid(tenantId) ? await tenants.find(tenantId) : null
  if (!tenant) throw unknown('Tenant')
  return tenant
}

/** Returns the ID of a known tenant. */
export async function requireTenantId(database: Database, tenantId: string): Promise<TenantId> {
  return asTenantId((await requireTenant(database, tenantId)).tenantId)
}
