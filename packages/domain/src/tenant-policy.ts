/** As whom the actors of a tenant may speak: as anybody, as nobody who is a member, or only as themselves. */
export const CLAIM_POLICIES = ['free', 'no_members', 'none'] as const
export type ClaimPolicy = (typeof CLAIM_POLICIES)[number]

/** What the admins of a tenant decide for all its spaces. The shared scope has no admins, and keeps its defaults. */
export interface TenantPolicy {
  readonly claims: ClaimPolicy
}

/** What is undefined stays as it is. */
export type TenantPolicyChange = { readonly [Field in keyof TenantPolicy]?: TenantPolicy[Field] | undefined }

/** In the form of the API, which the security log keeps. */
export const shownTenantPolicy = ({ claims }: TenantPolicy) => ({ claims })

export const changedTenantPolicy = (policy: TenantPolicy, change: TenantPolicyChange): TenantPolicy => ({
  claims: change.claims ?? policy.claims,
})
