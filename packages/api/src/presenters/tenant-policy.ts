import { type TenantPolicy as Policy, shownTenantPolicy } from '@collab-spaces/domain'
import type { z } from 'zod'
import type { TenantPolicy } from '../schemas/tenant-policy.js'

export const presentTenantPolicy = (tenant_id: string, policy: Policy): z.infer<typeof TenantPolicy> =>
  Object.assign({ tenant_id }, shownTenantPolicy(policy))
