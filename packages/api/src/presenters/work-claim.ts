import type { WorkClaimRecord } from '@collab-spaces/db'
import { shownWorkSubject } from '@collab-spaces/domain'
import type { z } from 'zod'
import type { WorkClaim } from '../schemas/work-claim.js'

export const presentWorkClaim = (claim: WorkClaimRecord): z.infer<typeof WorkClaim> => ({
  claim_id: claim.claimId,
  space_id: claim.spaceId,
  ...shownWorkSubject(claim.subject),
  fence: claim.fence,
  holder: claim.holderId,
  holder_name: claim.holderName,
  accepted: claim.isAccepted,
  note: claim.note,
  progress: claim.progress,
  progress_at: claim.progressAt?.toISOString() ?? null,
  claimed_at: claim.claimedAt.toISOString(),
  expires_at: claim.expiresAt.toISOString(),
})
