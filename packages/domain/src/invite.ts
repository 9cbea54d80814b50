import { invalid, unknown } from './errors.js'
import { LIMITS } from './limits.js'
import { type Random, randomHex } from './random.js'
import type { TenantStatus } from './tenant.js'

/** A one-time code: 256 random bits. */
export const inviteCode = (random: Random) => `inv_code_${randomHex(random, 32)}`

export interface InviteState {
  readonly expiresAt: Date
  readonly revokedAt: Date | null
  readonly redeemedAt: Date | null
}

/** An invite that somebody has the code of, and what became of those who stand behind it. */
export interface ShownInvite extends InviteState {
  readonly tenantStatus: TenantStatus
  /** False when an admin made it who is none any more, has moved on or was deleted. The operator always may. */
  readonly makerMayInvite: boolean
}

/**
 * Used, expired, revoked, never made, into a suspended tenant, from somebody who may no longer invite: all look the
 * same, so that nothing can be learned by trying.
 */
export function requireRedeemable(invite: ShownInvite | null, now: Date): void {
  const open = invite && !invite.redeemedAt && !invite.revokedAt && invite.expiresAt > now
  if (!open || invite.tenantStatus !== 'active' || !invite.makerMayInvite) throw unknown('Invite')
}

const daysAfter = (now: Date, days: number) => new Date(now.getTime() + days * 86_400_000)

/** When an invite expires: as its maker wishes (null for no wish), within limits. Throws 400 beyond them. */
export function inviteExpiry(wanted: Date | null, now: Date): Date {
  if (wanted === null) return daysAfter(now, LIMITS.inviteDays)
  if (wanted > daysAfter(now, LIMITS.mostInviteDays)) {
    throw invalid('expires_at', `must be at most ${LIMITS.mostInviteDays} days from now`)
  }
  return wanted
}
