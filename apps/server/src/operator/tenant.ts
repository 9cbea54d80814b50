import type { Database, TenantRecord } from '@collab-spaces/db'
import { asTenantId, isUuid, type TenantId, unknown } from '@collab-spaces/domain'

/** The tenant that the operator names; 404 if there is none. The shared scope has an id, too. */
export async function requireTenant({ tenants }: Database, tenantId: string): Promise<TenantRecord> {
  const tenant = isUuid(tenantId) ? await tenants.find(tenantId) : null
  if (!tenant) throw unknown('Tenant')
  return tenant
}

/** The id of that tenant. */
export async function requireTenantId(database: Database, tenantId: string): Promise<TenantId> {
  return asTenantId((await requireTenant(database, tenantId)).tenantId)
}
