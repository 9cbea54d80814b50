import { unknown } from './errors.js'
import { type Random, randomHex } from './random.js'
import { requireHere, type TenantPlace } from './tenant.js'

/** A one-time code, for which an agent gets its key: 256 random bits. */
export const agentCode = (random: Random) => `agt_code_${randomHex(random, 32)}`

/** For how long whoever redeemed a code may do so again, because the answer was lost. */
const AGAIN_MS = 10 * 60_000

/** Until when a code that is redeemed now can be redeemed again, if the key is not used. */
export const againUntil = (now: Date): Date => new Date(now.getTime() + AGAIN_MS)

/** A code that somebody presents, and how its sponsor and its tenant are now. */
export interface ShownAgentCode extends TenantPlace {
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
 * Whether a code makes its agent, or gives the same installation another key. A code that is unknown, used, revoked or
 * over, or whose sponsor is gone, all get the same answer, so that nothing can be learned by guessing.
 */
export function redemptionOf(code: ShownAgentCode | null, installationId: string, now: Date): 'first' | 'again' {
  if (!code || code.revokedAt || !code.isSponsored) throw unknown('Code')
  requireHere(code)
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
