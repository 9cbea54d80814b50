import type { DecisionRecord } from '@collab-spaces/db'
import { shownApprovals, shownRules } from '@collab-spaces/domain'
import type { z } from 'zod'
import type { Decision } from '../schemas/decision.js'

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
  approvals: shownApprovals(decision.approvals),
  rules_at_proposal: shownRules(decision.rulesAtProposal),
})
