import { LIMITS, TENANT_STATUSES } from '@collab-spaces/domain'
import { z } from 'zod'
import { id, moment, trimmed } from './field.js'

export const Tenant = z
  .object({
    tenant_id: z.uuid(),
    name: z.string(),
    schema_name: z.string(),
    status: z.enum(TENANT_STATUSES),
    created_at: moment(),
  })
  .meta({ id: 'Tenant' })

export const CreateTenant = z.object({ name: trimmed(LIMITS.tenantName) })

export const TenantMember = z.object({ tenant_id: id('The tenant'), actor_id: id('The human') })

export const TenantId = z.object({ tenant_id: id('The tenant') })
