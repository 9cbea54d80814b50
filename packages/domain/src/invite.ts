import { unknown } from './errors.js'
import { LIMITS } from './limits.js'
import { type Random, randomHex } from './random.js'

/** A one-time code: 256 random bits. */
export const inviteCode = (random: Random) => `inv_code_${randomHex(random, 32)}`

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

export const expiryOf = (now: Date) => new Date(now.getTime() + LIMITS.inviteDays * 86_400_000)
