import type { TokenScope } from './credential.js'

/** The attributions that a tenant allows: any speaker, any but another member, or none. */
export const ATTRIBUTION_POLICIES = ['free', 'no_members', 'none'] as const
export type AttributionPolicy = (typeof ATTRIBUTION_POLICIES)[number]

/** The rules that a tenant's admins set for all its spaces. The shared tenant has no admins, and keeps its defaults. */
export interface TenantPolicy {
  readonly attribution: AttributionPolicy
  /** The most scopes that members who are not admins may give agents, and their default; null for no such rule. */
  readonly agentScopes: readonly TokenScope[] | null
  /** The hosts that webhooks may be sent to, in the form of `webhookHosts`; null for any. */
  readonly webhookHosts: readonly string[] | null
}

/** An undefined field stays as it is. */
export type TenantPolicyChange = { readonly [Field in keyof TenantPolicy]?: TenantPolicy[Field] | undefined }

/** In the form of the API, which the security log keeps. */
export const shownTenantPolicy = ({ attribution, agentScopes, webhookHosts }: TenantPolicy) => ({
  attribution,
  agent_scopes: agentScopes && [...agentScopes],
  webhook_hosts: webhookHosts && [...webhookHosts],
})

export const changedTenantPolicy = (policy: TenantPolicy, change: TenantPolicyChange): TenantPolicy => ({
  attribution: change.attribution ?? policy.attribution,
  agentScopes: change.agentScopes === undefined ? policy.agentScopes : change.agentScopes,
  webhookHosts: change.webhookHosts === undefined ? policy.webhookHosts : change.webhookHosts,
})
