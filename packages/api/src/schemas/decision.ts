import {
  DECISION_FILTERS,
  DECISION_STATUSES,
  isUuid,
  LIMITS,
  NOT_COUNTED,
  PAGES,
  SETTLED_STATUSES,
  VERDICTS,
} from '@collab-spaces/domain'
import { z } from 'zod'
import {
  flag,
  freeObject,
  id,
  idempotencyKey,
  integer,
  list,
  moment,
  name,
  oneOf,
  optional,
  partOfList,
  stringError,
  text,
  timestamp,
  wait,
} from './field.js'
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

/** The options of a proposal in a response. */
export const DecisionOptions = z
  .array(
    z
      .object({ id: z.string(), label: z.string(), description: z.string().nullable(), denies: z.boolean() })
      .meta({ id: 'DecisionOption' }),
  )
  .meta({ description: 'The answers that it offers; one that denies permits nothing' })

/** The action of a proposal in a response. */
export const DecisionAction = z
  .object({
    type: z.string(),
    title: z.string().nullable(),
    arguments: freeObject(),
    digest: z.string().meta({ description: '`sha-256:` and the hash of the canonical JSON of `{type, arguments}`' }),
    editable: z.boolean().meta({ description: 'Whether the resolver may replace its arguments' }),
    used_by: z.array(z.string()).meta({ description: 'Actors that may use it besides the proposer and its sponsor' }),
  })
  .meta({ id: 'DecisionAction' })

export const ActionEdit = z
  .object({ arguments: freeObject(), digest: z.string() })
  .meta({ id: 'ActionEdit', description: "The resolver's arguments, and the digest that may be used then" })

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
    thread_id: z.uuid().nullable().meta({ description: 'The thread in which it is discussed' }),
    approvals: Approvals,
    rules_at_proposal: SettleRules.meta({
      description: 'The rules of the space when it was proposed, which hold beside those of now',
    }),
    options: DecisionOptions.optional(),
    option: z.string().nullable().optional().meta({ description: 'The id of the chosen option' }),
    action: DecisionAction.optional(),
    edit: ActionEdit.nullable().optional(),
    used_by: z.string().nullable().optional().meta({ description: 'The actor that used its action' }),
    used_at: moment().nullable().optional(),
    expires_at: moment().optional(),
    is_expired: z.boolean().optional().meta({
      description: 'Whether its time has passed before it was resolved, or before its action was used',
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

export const ListAllDecisions = z.object({
  space_id: optional(z.string({ error: stringError })).meta({ description: 'Only of this space' }),
  status: optional(oneOf(DECISION_STATUSES)).meta({ description: 'Only decisions of this status' }),
  filter: optional(oneOf(DECISION_FILTERS)).meta({
    description:
      'Only those that can still be resolved: neither expired nor superseded (`waiting`), and of these the ones assigned to ' +
      'the caller (`waiting_for_me`); or those `in_force`: resolved, not superseded, with an action neither denied nor expired',
  }),
  cursor: optional(z.string({ error: stringError }).refine(isUuid, { error: 'must be the id of a decision' })).meta({
    description: 'The id of the last decision of the page before',
  }),
  limit: integer(PAGES.decisions),
})

const NewOption = z.object(
  {
    id: z
      .string({ error: stringError })
      .regex(/^[\w-]+$/, { error: 'must consist of letters, digits, - and _' })
      .max(LIMITS.optionId, { error: `must be at most ${LIMITS.optionId} characters` }),
    label: name(LIMITS.optionLabel),
    description: optional(text(LIMITS.optionDescription)),
    denies: flag().meta({ description: 'Whether it permits nothing' }),
  },
  { error: 'must be a JSON object' },
)

const NewAction = z.object(
  {
    type: name(LIMITS.actionType).meta({ description: 'Such as `deploy` or `github.merge`' }),
    title: optional(name(LIMITS.actionTitle)),
    arguments: freeObject(),
    digest: optional(z.string({ error: stringError })).meta({ description: 'Refused if it is not that of the action' }),
    editable: flag().meta({ description: 'Whether the resolver may replace the arguments' }),
    used_by: optional(list(text(LIMITS.speakerId), LIMITS.actionUsers, 'actor ids')).meta({
      description: 'Actors that may use it besides the proposer and its sponsor',
    }),
  },
  { error: 'must be a JSON object' },
)

export type NewAction = z.infer<typeof NewAction>

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
  options: optional(
    list(NewOption, LIMITS.options, 'objects')
      .min(2, { error: 'must have at least 2 entries' })
      .refine((options) => new Set(options.map(({ id }) => id)).size === options.length, {
        error: 'must have different ids',
      }),
  ).meta({ description: 'The answers of which a resolution chooses one. Extension' }),
  action: optional(NewAction).meta({ description: 'The action that it authorizes once. Extension' }),
  expires_at: optional(timestamp()).meta({
    description: `Until when it can be resolved and used, at most ${LIMITS.decisionDays} days from now. Extension`,
  }),
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
  option: optional(z.string({ error: stringError })).meta({
    description: 'The id of the chosen option, which a decision with options needs to be resolved. Extension',
  }),
  arguments: optional(freeObject()).meta({
    description: 'Arguments in place of the proposed ones, if its action is `editable`. Extension',
  }),
  claim: heldClaim(),
})

export const ReviewDecision = z.object({
  space_id,
  decision_id,
  verdict: oneOf(VERDICTS).meta({ description: 'For it, or against it' }),
  note: optional(text(LIMITS.reviewNote)).meta({ description: 'Why' }),
  claim: heldClaim(),
})

export const UseDecision = z.object({
  space_id,
  decision_id,
  digest: z
    .string({ error: stringError })
    .refine((digest) => /^sha-256:[0-9a-f]{64}$/.test(digest), { error: 'must be sha-256: and 64 hexadecimal digits' })
    .meta({ description: 'The digest of the action that is about to be done' }),
  idempotency_key: idempotencyKey(),
  claim: heldClaim(),
})

export const DecisionUse = z
  .object({
    decision: Decision,
    used_at: moment(),
    receipt_ready_after: moment().nullable().meta({
      description: 'When the proof of its log has the use; null if the server seals no histories',
    }),
  })
  .meta({ id: 'DecisionUse' })

/** The error of a decision that cannot be resolved; any other conflict has only a detail. */
export const SettleRefused = z
  .object({
    detail: z.string(),
    error: z.enum(['approvals_missing', 'claim_lost', 'decision_expired']).optional(),
    required: z.int().optional(),
    given: z.int().optional(),
    expires_at: moment().optional(),
  })
  .meta({ id: 'SettleRefused' })

const USE_ERRORS = [
  'no_action',
  'decision_open',
  'decision_rejected',
  'decision_denied',
  'decision_expired',
  'decision_used',
  'superseded',
  'digest_mismatch',
  'no_longer_approved',
  'claim_lost',
] as const

/** The error of a decision whose action cannot be used, with what the error is about. */
export const UseRefused = z
  .object({
    detail: z.string(),
    error: z.enum(USE_ERRORS).optional(),
    used_by: z.string().optional(),
    used_at: moment().optional(),
    expires_at: moment().optional(),
    superseded_by: z.string().optional(),
    option: z.string().nullable().optional(),
    digest: z.string().nullable().optional().meta({ description: 'That of the approved action' }),
  })
  .meta({ id: 'UseRefused' })
