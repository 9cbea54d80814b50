import { conflict, DomainError, invalid, unknown } from './errors.js'
import { LIMITS } from './limits.js'
import { type Random, randomHex } from './random.js'
import { requireLocalTenant, type TenantLocation } from './tenant.js'

/** A one-time code: 256 random bits. */
export const inviteCode = (random: Random) => `inv_code_${randomHex(random, 32)}`

export interface InviteState {
  readonly expiresAt: Date
  readonly revokedAt: Date | null
  readonly redeemedAt: Date | null
}

/** An invite whose code is presented, with the current state of its tenant and its maker. */
export interface ShownInvite extends InviteState, TenantLocation {
  /** The e-mail address that the account of the redeemer must have; null for any. */
  readonly email: string | null
  /** False when its maker is no longer an admin of the tenant. The operator always may. */
  readonly makerMayInvite: boolean
}

/**
 * Throws the same 404 for an invite that is used, expired, revoked or unknown, of a suspended tenant, of a maker who may no
 * longer invite, or for another e-mail address, so that guessing reveals nothing. An invite to a tenant on another
 * installation is redeemed there.
 */
export function requireRedeemable(invite: ShownInvite | null, email: string | null, now: Date): void {
  const open = invite && !invite.redeemedAt && !invite.revokedAt && invite.expiresAt > now
  if (!open || !invite.makerMayInvite || !isFor(invite, email)) throw unknown('Invite')
  requireLocalTenant(invite)
  if (invite.tenantStatus !== 'active') throw unknown('Invite')
}

/** Like `requireRedeemable`, for a caller with a local account, which does not exist where the tenant has moved. */
export function requireLocallyRedeemable(invite: ShownInvite | null, email: string | null, now: Date): void {
  try {
    requireRedeemable(invite, email, now)
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'moved') throw error
    throw conflict(`The tenant is on another installation now: register with the code at ${error.fields.location}`)
  }
}

const isFor = (invite: ShownInvite, email: string | null): boolean =>
  invite.email === null || invite.email.toLowerCase() === email?.toLowerCase()

const daysAfter = (now: Date, days: number) => new Date(now.getTime() + days * 86_400_000)

/** Returns the expiry of an invite; null requests the default. 400 beyond the limit and for the past. */
export function inviteExpiry(requested: Date | null, now: Date): Date {
  if (requested === null) return daysAfter(now, LIMITS.inviteDays)
  if (requested <= now) throw invalid('expires_at', 'must be in the future')
  if (requested > daysAfter(now, LIMITS.maxInviteDays)) {
    throw invalid('expires_at', `must be at most ${LIMITS.maxInviteDays} days from now`)
  }
  return requested
}
