import { unknown } from './errors.js'
import type { Random } from './id.js'

/** A one-time code: 256 random bits. */
export const inviteCode = (random: Random) =>
  `inv_code_${Array.from(random(32), (byte) => byte.toString(16).padStart(2, '0')).join('')}`

/** How long an invite holds unless its maker says otherwise. */
export const INVITE_DAYS = 7

export interface InviteState {
  readonly expiresAt: Date
  readonly revokedAt: Date | null
  readonly redeemedAt: Date | null
}

/** Used, expired, revoked or never made: all look the same, so that nothing can be learned by trying. */
export function requireRedeemable(invite: InviteState | null, now: Date): void {
  const open = invite && !invite.redeemedAt && !invite.revokedAt && invite.expiresAt > now
  if (!open) throw unknown('Invite')
}

export const expiryOf = (now: Date) => new Date(now.getTime() + INVITE_DAYS * 86_400_000)
