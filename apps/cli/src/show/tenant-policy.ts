import type { TenantPolicy } from '@collab-spaces/client'
import type { Style } from '../terminal/style.js'
import type { Text } from '../terminal/styled.js'
import { fields } from '../terminal/table.js'

export const CLAIM_POLICIES = ['free', 'no_members', 'none'] as const

const AS_WHOM: Readonly<Record<TenantPolicy['attribution'], string>> = {
  free: 'any speaker',
  no_members: 'any but another member',
  none: 'themselves only',
}

export const tenantPolicy = (policy: TenantPolicy, style: Style): Text =>
  fields(style, [
    ['tenant', policy.tenant_id],
    ['actors speak as', AS_WHOM[policy.attribution]],
    ['new agents may', policy.agent_scopes?.join(', ') ?? 'what members give them'],
    ['webhooks go to', hostsIn(policy)],
  ])

function hostsIn({ webhook_hosts }: TenantPolicy): string {
  if (webhook_hosts === null) return 'any host'
  return webhook_hosts.length === 0 ? 'no host' : webhook_hosts.join(', ')
}
