import { type CredentialLimits, limitsFrom, NO_LIMITS, type StoredLimits, type TenantId } from '@collab-spaces/domain'
import { Prisma } from '../generated/client.js'

/** How the limits of a credential are stored, beside it. */
export interface LimitColumns {
  /** `StoredLimits`; null where neither scopes nor spaces are limited, as of nearly all credentials. */
  readonly limits: unknown
  readonly expiresAt: Date | null
}

/** Returns the columns for a new credential, as Prisma takes them. */
export function limitColumns({ scopes, spaceIds, expiresAt }: CredentialLimits, tenantId: TenantId) {
  const stored: StoredLimits = { scopes, space_ids: spaceIds, tenant_id: tenantId }
  return { limits: scopes === null && spaceIds === null ? Prisma.DbNull : stored, expiresAt }
}

/** The limits of a credential whose actor is now in this tenant: a list of spaces opens none in another one. */
export function limitsIn({ limits, expiresAt }: LimitColumns, tenantId: TenantId): CredentialLimits {
  if (limits === null) return expiresAt === null ? NO_LIMITS : { ...NO_LIMITS, expiresAt }
  const { scopes, space_ids, tenant_id } = limitsFrom(limits)
  return { scopes, spaceIds: space_ids && (tenant_id === tenantId ? space_ids : []), expiresAt }
}
