import { LIMITS, REDACTED_TEXT, soleWorkSubject, WORK_CLAIM_TTL } from '@collab-spaces/domain'
import { z } from 'zod'
import { id, integer, moment, optional, text } from './field.js'

const fence = { min: 1, max: Number.MAX_SAFE_INTEGER }

/** The claim that something is done with. */
export const heldClaim = () =>
  optional(
    z.object(
      {
        claim_id: id('The claim'),
        fence: z.int({ error: 'must be a whole number' }).min(fence.min).meta({ description: 'Its fence' }),
      },
      { error: 'must be a JSON object' },
    ),
  )
    .meta({
      description: 'The claim that it is done with: 409 once it is no longer yours, and nothing is done. Extension',
    })
    .transform((claim) => claim && { claimId: claim.claim_id, fence: claim.fence })

export const WorkClaim = z
  .object({
    claim_id: z.uuid(),
    space_id: z.string(),
    event_id: z.uuid().nullable(),
    decision_id: z.uuid().nullable(),
    key: z.string().nullable(),
    fence: z.int().meta({ description: 'Grows each time it is taken: writes with an older one are refused' }),
    holder: z.string().meta({ description: 'Actor id' }),
    holder_name: z.string(),
    accepted: z.boolean().meta({
      description: 'False after it was handed over, until the holder writes with it or renews it',
    }),
    note: z.string().nullable(),
    progress: z.string().nullable().meta({ description: 'What the holder said last about how far it is' }),
    progress_at: moment().nullable(),
    claimed_at: moment(),
    expires_at: moment(),
  })
  .meta({ id: 'WorkClaim' })

const space_id = id('The space')
const claim_id = id('The claim')
const ttl_s = integer(WORK_CLAIM_TTL).meta({ description: 'After how many seconds it lapses unless it is renewed' })
const of = (what: string) => optional(z.string({ error: 'must be a string' })).meta({ description: what })

export const TakeWorkClaim = z
  .object({
    space_id,
    event_id: of('The event to work on'),
    decision_id: of('The decision to work on'),
    key: optional(text(LIMITS.workClaimKey)).meta({ description: 'The name of anything else' }),
    ttl_s,
    note: optional(text(LIMITS.workClaimNote)),
  })
  .superRefine((input, context) => {
    // A redaction gives such a key.
    if (input.key?.startsWith(REDACTED_TEXT))
      context.addIssue({ code: 'custom', path: ['key'], message: `must not begin with ${REDACTED_TEXT}` })
    if (soleWorkSubject(input)) return
    const odd = (['event_id', 'decision_id', 'key'] as const).find((name) => input[name] !== undefined) ?? 'key'
    context.addIssue({ code: 'custom', path: [odd], message: 'give one of event_id, decision_id, key' })
  })

export const ListWorkClaims = z.object({ space_id })

const named = {
  space_id,
  claim_id,
  fence: optional(z.int({ error: 'must be a whole number' }).min(fence.min)).meta({
    description: 'Refused if it is not the present one',
  }),
}

export const RenewWorkClaim = z.object({ ...named, ttl_s })
export const ReleaseWorkClaim = z.object({ space_id, claim_id })
export const HandOverWorkClaim = z.object({
  ...named,
  to: text(LIMITS.speakerId).meta({ description: 'Actor id' }),
  ttl_s,
})
export const TakeOverWorkClaim = z.object({ space_id, claim_id, ttl_s })
export const SetProgress = z.object({ space_id, claim_id, text: text(LIMITS.progress) })

/** The error of a claim of another holder, or of a lost one; any other conflict has only a detail. */
export const ClaimRefused = z
  .object({
    detail: z.string(),
    error: z.enum(['claimed', 'claim_lost']).optional(),
    holder: z.string().optional(),
    holder_name: z.string().optional(),
    expires_at: moment().optional(),
  })
  .meta({ id: 'ClaimRefused' })
