import type { PolicyRecord } from '@collab-spaces/db'
import { shownPolicy } from '@collab-spaces/domain'
import type { z } from 'zod'
import type { Policy } from '../schemas/policy.js'

export const presentPolicy = (space_id: string, policy: PolicyRecord): z.infer<typeof Policy> => ({
  space_id,
  ...shownPolicy(policy),
  changed_by: policy.changedBy,
  changed_at: policy.changedAt?.toISOString() ?? null,
})
