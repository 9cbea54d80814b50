import { ATTRIBUTION_POLICIES, LIMITS, TOKEN_SCOPES } from '@collab-spaces/domain'
import { z } from 'zod'
import { requestedScopes } from './credential.js'
import { id, list, oneOf, optional, text } from './field.js'

const ATTRIBUTION =
  'The allowed attributions: `free`, any speaker; `no_members`, none of another member; `none`, only themselves'

const AGENT_SCOPES =
  'What new agents are allowed by default, and the most that members who are no admins may give them; null for no such rule'

const HOSTS =
  'The hosts that webhooks and push messages may go to, such as `hooks.example.org` or `*.example.org`, which is all ' +
  'names below that; null for any'

export const TenantPolicy = z
  .object({
    tenant_id: z.uuid(),
    attribution: z.enum(ATTRIBUTION_POLICIES).meta({ description: ATTRIBUTION }),
    agent_scopes: z.array(z.enum(TOKEN_SCOPES)).nullable().meta({ description: AGENT_SCOPES }),
    webhook_hosts: z.array(z.string()).nullable().meta({ description: HOSTS }),
  })
  .meta({ id: 'TenantPolicy' })

export const SetTenantPolicy = z.object({
  tenant_id: id('The tenant'),
  attribution: optional(oneOf(ATTRIBUTION_POLICIES)).meta({ description: ATTRIBUTION }),
  agent_scopes: requestedScopes().nullish().meta({ description: AGENT_SCOPES }),
  webhook_hosts: list(text(LIMITS.hostName), LIMITS.webhookHosts, 'hosts')
    .nullable()
    .optional()
    .meta({ description: HOSTS }),
})
