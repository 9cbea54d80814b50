import { DECISION_STATUSES, LIMITS, NOT_COUNTED, SETTLED_STATUSES, VERDICTS } from '@collab-spaces/domain'
import { z } from 'zod'
import { id, idempotencyKey, list, moment, oneOf, optional, partOfList, text, timestamp, wait } from './field.js'
import { SettleRules } from './policy.js'
import { heldClaim } from './work-claim.js'

export const Approvals = z
  .object({
    required: z.int(),
    given: z.int().meta({ description: 'How many count' }),
    by: z.array(z.string()).meta({ description: 'The actors that approve, in the order in which they did' }),
    not_counted: z
      .array(z.object({ actor_id: z.string(), reason: z.enum(NOT_COUNTED) }).meta({ id: 'UncountedApproval' }))
      .meta({ description: 'Those of them whose approval does not count, and why' }),
  })
  .meta({ id: 'Approvals' })

export const Decision = z
  .object({
    decision_id: z.uuid(),
    space_id: z.string(),
    proposed_by: z.string(),
    text: z.string(),
    status: z.enum(DECISION_STATUSES),
    resolved_by: z.string().nullable(),
    resolved_at: moment().nullable(),
    resolution: z.string().nullable(),
    created_at: moment(),
    posted_by: z.string().meta({ description: 'The authenticated actor that proposed it' }),
    settled_by: z.string().nullable().meta({ description: 'The authenticated actor that settled it' }),
    assignees: z.array(z.string()).meta({ description: 'The actors that are asked to settle it' }),
    supersedes: z.uuid().nullable().meta({ description: 'The decision whose place it takes when it is resolved' }),
    superseded_by: z.uuid().nullable().meta({ description: 'The resolved decision that took its place' }),
    review_at: moment().nullable().meta({ description: 'When it should be looked at again' }),
    approvals: Approvals,
    rules_at_proposal: SettleRules.meta({
      description: 'The rules of the space when it was proposed, which hold beside those of now',
    }),
  })
  .meta({ id: 'Decision' })

export const DecisionCounts = z
  .object({ proposed: z.int(), resolved: z.int(), rejected: z.int() })
  .meta({ id: 'DecisionCounts' })

const space_id = id('The space')
const decision_id = id('The decision')

export const ListDecisions = z.object({
  space_id,
  status: optional(oneOf(DECISION_STATUSES)).meta({ description: 'Only decisions of this status' }),
  ...partOfList('decision'),
})

export const ProposeDecision = z.object({
  space_id,
  proposed_by: text(LIMITS.speakerId).meta({ description: 'Actor id' }),
  text: text(LIMITS.text).meta({ description: 'What is proposed, in Markdown' }),
  assignees: optional(list(text(LIMITS.speakerId), LIMITS.assignees, 'actor ids')).meta({
    description: 'Ids of the actors that are asked to settle it. Extension',
  }),
  supersedes: optional(z.string({ error: 'must be a string' })).meta({
    description: 'A decision of the space whose place it takes when it is resolved. Extension',
  }),
  review_at: optional(timestamp()).meta({ description: 'When it should be looked at again. Extension' }),
  idempotency_key: idempotencyKey(),
  claim: heldClaim(),
})

export const DecisionId = z.object({ space_id, decision_id })

export const GetDecision = DecisionId.extend({ wait: wait() })

export const SettleDecision = z.object({
  space_id,
  decision_id,
  resolved_by: text(LIMITS.speakerId).meta({ description: 'Actor id' }),
  resolution: text(LIMITS.resolution).meta({ description: 'The outcome, and why' }),
  status: oneOf(SETTLED_STATUSES).meta({ description: 'The outcome' }),
  claim: heldClaim(),
})

export const ReviewDecision = z.object({
  space_id,
  decision_id,
  verdict: oneOf(VERDICTS).meta({ description: 'For it, or against it' }),
  note: optional(text(LIMITS.reviewNote)).meta({ description: 'Why' }),
  claim: heldClaim(),
})

/** The error of a decision that lacks approvals, or whose claim is lost; any other conflict has only a detail. */
export const SettleRefused = z
  .object({
    detail: z.string(),
    error: z.enum(['approvals_missing', 'claim_lost']).optional(),
    required: z.int().optional(),
    given: z.int().optional(),
  })
  .meta({ id: 'SettleRefused' })
