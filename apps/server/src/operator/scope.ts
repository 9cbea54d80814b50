import type { Database } from '@collab-spaces/db'
import { isUuid, type Scope, scopeOf, unknown } from '@collab-spaces/domain'

/** The scope of a tenant that the operator names; 404 if there is none. The shared scope has an id, too. */
export async function requireScope({ tenants }: Database, tenantId: string): Promise<Scope> {
  if (!isUuid(tenantId) || !(await tenants.find(tenantId))) throw unknown('Tenant')
  return scopeOf(tenantId.toLowerCase())
}
