import { type CredentialLimits, limitsFrom, NO_LIMITS, type Scope, type StoredLimits } from '@collab-spaces/domain'
import { Prisma } from '../generated/client.js'

/** How the limits of a credential are stored, beside it. */
export interface LimitColumns {
  /** `StoredLimits`; null where neither scopes nor spaces are limited, as of nearly all credentials. */
  readonly limits: unknown
  readonly expiresAt: Date | null
}

/** Returns the columns for a new credential, as Prisma takes them. */
export function limitColumns({ scopes, spaceIds, expiresAt }: CredentialLimits, scope: Scope) {
  const stored: StoredLimits = { scopes, space_ids: spaceIds, tenant_id: scope }
  return { limits: scopes === null && spaceIds === null ? Prisma.DbNull : stored, expiresAt }
}

/** The limits of a credential whose actor is now in this scope: a list of spaces opens none in another one. */
export function limitsIn({ limits, expiresAt }: LimitColumns, scope: Scope): CredentialLimits {
  if (limits === null) return expiresAt === null ? NO_LIMITS : { ...NO_LIMITS, expiresAt }
  const { scopes, space_ids, tenant_id } = limitsFrom(limits)
  return { scopes, spaceIds: space_ids && (tenant_id === scope ? space_ids : []), expiresAt }
}
