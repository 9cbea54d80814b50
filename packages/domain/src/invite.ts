import { conflict, DomainError, invalid, unknown } from './errors.js'
import { LIMITS } from './limits.js'
import { type Random, randomHex } from './random.js'
import { requireHere, type TenantPlace } from './tenant.js'

/** A one-time code: 256 random bits. */
export const inviteCode = (random: Random) => `inv_code_${randomHex(random, 32)}`

export interface InviteState {
  readonly expiresAt: Date
  readonly revokedAt: Date | null
  readonly redeemedAt: Date | null
}

/** An invite whose code somebody presents, and the current state of its tenant and its maker. */
export interface ShownInvite extends InviteState, TenantPlace {
  /** The address that the account of whoever redeems it must have; null for any. */
  readonly email: string | null
  /** False when its maker is no longer an admin of the tenant. The operator always may. */
  readonly makerMayInvite: boolean
}

/**
 * An invite that was used, has expired, was revoked, never existed, leads to a suspended tenant, is from somebody who may no
 * longer invite, or is for another address than that of the account: all get the same answer, so that nothing can be
 * learned by guessing. One that leads to a tenant on another installation is redeemed there.
 */
export function requireRedeemable(invite: ShownInvite | null, email: string | null, now: Date): void {
  const open = invite && !invite.redeemedAt && !invite.revokedAt && invite.expiresAt > now
  if (!open || !invite.makerMayInvite || !isFor(invite, email)) throw unknown('Invite')
  requireHere(invite)
  if (invite.tenantStatus !== 'active') throw unknown('Invite')
}

/** Like `requireRedeemable`, for somebody with an account here, who has none where the tenant has moved to. */
export function requireRedeemableHere(invite: ShownInvite | null, email: string | null, now: Date): void {
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

/** When an invite expires: when its maker wants (null: after the default time). Throws 400 beyond the limit, or for the past. */
export function inviteExpiry(wanted: Date | null, now: Date): Date {
  if (wanted === null) return daysAfter(now, LIMITS.inviteDays)
  if (wanted <= now) throw invalid('expires_at', 'must be in the future')
  if (wanted > daysAfter(now, LIMITS.maxInviteDays)) {
    throw invalid('expires_at', `must be at most ${LIMITS.maxInviteDays} days from now`)
  }
  return wanted
}
