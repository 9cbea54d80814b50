import { type CredentialLimits, NO_LIMITS, type Scope, type TokenScope } from '@collab-spaces/domain'

/** How the limits of a credential are stored, beside it. */
export interface LimitColumns {
  /** JSON text; null where neither scopes nor spaces are limited, as of nearly all credentials. */
  readonly limits: string | null
  readonly expiresAt: Date | null
}

interface StoredLimits {
  readonly scopes: readonly TokenScope[] | null
  readonly space_ids: readonly string[] | null
  /** The tenant whose spaces are meant. */
  readonly tenant_id: string
}

export function limitColumns({ scopes, spaceIds, expiresAt }: CredentialLimits, scope: Scope): LimitColumns {
  const stored: StoredLimits = { scopes, space_ids: spaceIds, tenant_id: scope }
  return { limits: scopes === null && spaceIds === null ? null : JSON.stringify(stored), expiresAt }
}

/** The limits of a credential whose actor is now in this scope: a list of spaces opens none in another one. */
export function limitsIn({ limits, expiresAt }: LimitColumns, scope: Scope): CredentialLimits {
  if (limits === null) return expiresAt === null ? NO_LIMITS : { ...NO_LIMITS, expiresAt }
  const { scopes, space_ids, tenant_id }: StoredLimits = JSON.parse(limits)
  return { scopes, spaceIds: space_ids && (tenant_id === scope ? space_ids : []), expiresAt }
}
