import { unknown } from './errors.js'
import { type Random, randomHex } from './random.js'
import { requireLocalTenant, type TenantLocation } from './tenant.js'

/** A one-time code, for which an agent gets its key: 256 random bits. */
export const agentCode = (random: Random) => `agt_code_${randomHex(random, 32)}`

/** How long the same installation may redeem a code again, in case the response was lost. */
const AGAIN_MS = 10 * 60_000

/** Returns the time until which a code redeemed now can be redeemed again if its key is unused. */
export const againUntil = (now: Date): Date => new Date(now.getTime() + AGAIN_MS)

/** A presented code, with the current state of its sponsor and tenant. */
export interface ShownAgentCode extends TenantLocation {
  readonly expiresAt: Date
  readonly revokedAt: Date | null
  /** Whether its sponsor is in the tenant that the code leads to, and can sponsor agents there. */
  readonly isSponsored: boolean
  /** Null until it is redeemed. */
  readonly redeemed: {
    readonly at: Date
    readonly installationId: string
    /** Whether the agent still runs there, with the key that it was given for the code and has never used. */
    readonly isUntouched: boolean
  } | null
}

/**
 * Returns whether a code creates its agent or gives the same installation another key. An unknown, used, revoked or
 * expired code, and one whose sponsor is gone, get the same answer, so that guessing reveals nothing.
 */
export function redemptionOf(code: ShownAgentCode | null, installationId: string, now: Date): 'first' | 'again' {
  if (!code || code.revokedAt || !code.isSponsored) throw unknown('Code')
  requireLocalTenant(code)
  if (code.tenantStatus !== 'active') throw unknown('Code')
  const { redeemed } = code
  if (redeemed === null) {
    if (code.expiresAt <= now) throw unknown('Code')
    return 'first'
  }
  const isTheSame = redeemed.installationId === installationId && redeemed.isUntouched
  if (!isTheSame || againUntil(redeemed.at) <= now) throw unknown('Code')
  return 'again'
}

export const codeExpiry = (seconds: number, now: Date): Date => new Date(now.getTime() + seconds * 1_000)
