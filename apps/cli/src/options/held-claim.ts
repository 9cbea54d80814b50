import { InvalidArgumentError } from '@commander-js/extra-typings'
import type { ClaimProof } from '../inbox/delegated-claims.js'

/** The claim that something is written with: nothing is written once it is lost. */
export const HELD_CLAIM = [
  '--claim <id:fence>',
  'Only while this claim is yours (default: the one handed out by agent run)',
  heldClaim,
] as const

function heldClaim(given: string): ClaimProof {
  const [, claim_id, fence] = /^([^:]+):(\d{1,15})$/.exec(given) ?? []
  if (claim_id !== undefined && fence !== undefined) return { claim_id, fence: Number(fence) }
  throw new InvalidArgumentError('It must be the ID of a claim, a colon, and its fence.')
}
