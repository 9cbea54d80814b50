import type { TenantRecord } from '@collab-spaces/db'
import type { z } from 'zod'
import type { Tenant } from '../schemas/tenant.js'

export const presentTenant = (tenant: TenantRecord): z.infer<typeof Tenant> => ({
  tenant_id: tenant.tenantId,
  name: tenant.name,
  schema_name: tenant.schemaName,
  status: tenant.status,
  created_at: tenant.createdAt.toISOString(),
})
