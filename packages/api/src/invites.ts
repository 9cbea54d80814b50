import { randomBytes } from 'node:crypto'
import { type Bearer, databaseClock, type InviteRecord, type NewInvite } from '@collab-spaces/db'
import { inviteCode, inviteExpiry, prefixedId, type TenantId } from '@collab-spaces/domain'
import { hashOf } from './procedure/credential.js'
import type { Services } from './services.js'

/** The terms of a new invite; null for a default. */
export interface InviteTerms extends Pick<NewInvite, 'email' | 'defaultSpaceId' | 'grantsAdmin' | 'makesGuest'> {
  /** Null for the operator. */
  readonly maker: Bearer | null
  /** Null for the default lifetime. */
  readonly expiresAt: Date | null
}

/**
 * Creates an invite to a tenant, and its one-time code, which is not stored. 400 beyond the maximum lifetime, 401 if its
 * maker's credential has ended.
 */
export async function createInvite(
  { database }: Pick<Services, 'database'>,
  tenantId: TenantId,
  { maker, expiresAt, ...terms }: InviteTerms,
): Promise<{ readonly invite: InviteRecord; readonly code: string }> {
  const code = inviteCode(randomBytes)
  const now = databaseClock.now()
  const invite = await database.invites.create(tenantId, maker, {
    ...terms,
    inviteId: prefixedId('inv', randomBytes),
    codeHash: hashOf(code),
    createdAt: now,
    expiresAt: inviteExpiry(expiresAt, now),
  })
  return { invite, code }
}
