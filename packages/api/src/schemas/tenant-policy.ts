import { CLAIM_POLICIES } from '@collab-spaces/domain'
import { z } from 'zod'
import { id, oneOf, optional } from './field.js'

const CLAIMS =
  'As whom actors may speak: `free`, as anybody; `no_members`, as nobody who is another member; `none`, only as themselves'

export const TenantPolicy = z
  .object({
    tenant_id: z.uuid(),
    claims: z.enum(CLAIM_POLICIES).meta({ description: CLAIMS }),
  })
  .meta({ id: 'TenantPolicy' })

export const SetTenantPolicy = z.object({
  tenant_id: id('The tenant'),
  claims: optional(oneOf(CLAIM_POLICIES)).meta({ description: CLAIMS }),
})
