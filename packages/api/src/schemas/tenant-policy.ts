import { CLAIM_POLICIES, LIMITS } from '@collab-spaces/domain'
import { z } from 'zod'
import { id, list, oneOf, optional, text } from './field.js'

const CLAIMS =
  'As whom actors may speak: `free`, as anybody; `no_members`, as nobody who is another member; `none`, only as themselves'

const HOSTS =
  'The hosts that webhooks may be sent to, such as `hooks.example.org` or `*.example.org`, which is all names below ' +
  'that; null for any'

export const TenantPolicy = z
  .object({
    tenant_id: z.uuid(),
    claims: z.enum(CLAIM_POLICIES).meta({ description: CLAIMS }),
    webhook_hosts: z.array(z.string()).nullable().meta({ description: HOSTS }),
  })
  .meta({ id: 'TenantPolicy' })

export const SetTenantPolicy = z.object({
  tenant_id: id('The tenant'),
  claims: optional(oneOf(CLAIM_POLICIES)).meta({ description: CLAIMS }),
  webhook_hosts: list(text(LIMITS.hostName), LIMITS.webhookHosts, 'hosts')
    .nullable()
    .optional()
    .meta({ description: HOSTS }),
})
