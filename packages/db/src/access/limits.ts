import { type CredentialLimits, limitsFrom, NO_LIMITS, type StoredLimits, type TenantId } from '@collab-spaces/domain'
import { Prisma } from '../generated/client.js'

/** The stored limits of a credential. */
export interface LimitColumns {
  /** `StoredLimits`; null without limits of scopes or spaces, as for most credentials. */
  readonly limits: unknown
  readonly expiresAt: Date | null
}

/** Returns the columns for a new credential, as Prisma takes them. */
export function limitColumns({ scopes, spaceIds, expiresAt }: CredentialLimits, tenantId: TenantId) {
  const stored: StoredLimits = { scopes, space_ids: spaceIds, tenant_id: tenantId }
  return { limits: scopes === null && spaceIds === null ? Prisma.DbNull : stored, expiresAt }
}

/** The limits of a credential whose actor is in this tenant. A list of spaces permits none in another tenant. */
export function limitsIn({ limits, expiresAt }: LimitColumns, tenantId: TenantId): CredentialLimits {
  if (limits === null) return expiresAt === null ? NO_LIMITS : { ...NO_LIMITS, expiresAt }
  const { scopes, space_ids, tenant_id } = limitsFrom(limits)
  return { scopes, spaceIds: space_ids && (tenant_id === tenantId ? space_ids : []), expiresAt }
}
