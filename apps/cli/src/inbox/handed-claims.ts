import { usage } from '../failure.js'

/** The claim that something is written with. */
export interface WrittenWith {
  readonly claim_id: string
  readonly fence: number
}

/** A claim that `agent run` hands to the command that it runs. */
export interface DelegatedClaim extends WrittenWith {
  readonly space_id: string
  readonly event_id: string
}

/** Where something is written, and about which event, if it is about one. */
export interface WrittenIn {
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

/** The claim on the event, or else on the newest one of the space that was handed out with it. */
export function delegatedClaimOn(
  claims: readonly DelegatedClaim[],
  { space_id, event_id }: WrittenIn,
): WrittenWith | undefined {
  const ofSpace = claims.filter((claim) => claim.space_id === space_id)
  const found = ofSpace.find((claim) => claim.event_id === event_id) ?? ofSpace.at(-1)
  return found && { claim_id: found.claim_id, fence: found.fence }
}
