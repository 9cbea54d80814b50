import type { DecisionRecord } from '@collab-spaces/db'
import { shownAction, shownApprovals, shownRules } from '@collab-spaces/domain'
import type { z } from 'zod'
import type { Decision, DecisionUse } from '../schemas/decision.js'

export const presentDecision = (decision: DecisionRecord): z.infer<typeof Decision> => ({
  decision_id: decision.decisionId,
  space_id: decision.spaceId,
  proposed_by: decision.proposedBy,
  text: decision.text,
  status: decision.status,
  resolved_by: decision.resolvedBy,
  resolved_at: decision.resolvedAt?.toISOString() ?? null,
  resolution: decision.resolution,
  created_at: decision.createdAt.toISOString(),
  posted_by: decision.postedBy,
  settled_by: decision.settledBy,
  assignees: [...decision.assignees],
  supersedes: decision.supersedes,
  superseded_by: decision.supersededBy,
  review_at: decision.reviewAt?.toISOString() ?? null,
  thread_id: decision.threadId,
  approvals: shownApprovals(decision.approvals),
  rules_at_proposal: shownRules(decision.rulesAtProposal),
  ...(decision.options && { options: [...decision.options], option: decision.option }),
  ...(decision.action && {
    action: shownAction(decision.action),
    edit: decision.edit,
    used_by: decision.usedBy,
    used_at: decision.usedAt?.toISOString() ?? null,
  }),
  ...(decision.expiresAt && { expires_at: decision.expiresAt.toISOString(), is_expired: decision.isExpired }),
})

/** The longest time from an act to its seal. */
const SEALED_WITHIN_MS = 2_000

/** A decision whose action was just used. */
export function presentUse(decision: DecisionRecord, isSealed: boolean): z.infer<typeof DecisionUse> {
  const { usedAt } = decision
  if (usedAt === null) throw new Error('a decision without a use')
  const sealedBy = new Date(usedAt.getTime() + SEALED_WITHIN_MS)
  return {
    decision: presentDecision(decision),
    used_at: usedAt.toISOString(),
    receipt_ready_after: isSealed ? sealedBy.toISOString() : null,
  }
}
