import type { Database, TenantRecord } from '@collab-spaces/db'
import { isUuid, type Scope, scopeOf, unknown } from '@collab-spaces/domain'

/** The tenant that the operator names; 404 if there is none. The shared scope has an id, too. */
export async function requireTenant({ tenants }: Database, tenantId: string): Promise<TenantRecord> {
  const tenant = isUuid(tenantId) ? await tenants.find(tenantId) : null
  if (!tenant) throw unknown('Tenant')
  return tenant
}

/** The scope of that tenant. */
export async function requireScope(database: Database, tenantId: string): Promise<Scope> {
  return scopeOf((await requireTenant(database, tenantId)).tenantId)
}
