import { usage } from '../failure.js'

/** The claim that authorizes a write. */
export interface ClaimProof {
  readonly claim_id: string
  readonly fence: number
}

/** A claim that `agent run` delegates to its command. */
export interface DelegatedClaim extends ClaimProof {
  readonly space_id: string
  readonly event_id: string
}

/** The space of a write, and the event that it is about, if any. */
export interface WriteTarget {
  readonly space_id: string
  readonly event_id?: string | undefined
}

export const inEnvironment = (claims: readonly DelegatedClaim[]): NodeJS.ProcessEnv => ({
  SPACES_CLAIMS: JSON.stringify(claims),
})

export function delegatedClaimsIn(text: string): DelegatedClaim[] {
  try {
    return JSON.parse(text)
  } catch {
    throw usage('SPACES_CLAIMS is not what `spaces agent run` sets')
  }
}

/** The claim on the event; without one, the newest claim in the space. */
export function delegatedClaimOn(
  claims: readonly DelegatedClaim[],
  { space_id, event_id }: WriteTarget,
): ClaimProof | undefined {
  const ofSpace = claims.filter((claim) => claim.space_id === space_id)
  const found = ofSpace.find((claim) => claim.event_id === event_id) ?? ofSpace.at(-1)
  return found && { claim_id: found.claim_id, fence: found.fence }
}
