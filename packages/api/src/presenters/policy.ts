import type { PolicyRecord } from '@collab-spaces/db'
import { shownRules } from '@collab-spaces/domain'
import type { z } from 'zod'
import type { Policy } from '../schemas/policy.js'

export const presentPolicy = (space_id: string, policy: PolicyRecord): z.infer<typeof Policy> => ({
  space_id,
  settle: shownRules(policy.settle),
  loop_guard: { total: policy.loopGuard.total, per_agent: policy.loopGuard.perAgent },
  changed_by: policy.changedBy,
  changed_at: policy.changedAt?.toISOString() ?? null,
})
