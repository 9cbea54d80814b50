import { ACT_SUBJECTS, ACTOR_TYPES, PAGES, SETTLED_STATUSES, VERDICTS, VISIBILITIES } from '@collab-spaces/domain'
import { z } from 'zod'
import { ActionEdit, Approvals, DecisionAction, DecisionOptions } from './decision.js'
import { flag, id, moment, oneOf, optional, optionalInteger, requireAtMostOne, timestamp } from './field.js'
import { PolicyValues, SettleRules } from './policy.js'

const position = () => optionalInteger({ min: 0, max: 999_999_999 })

export const ListActs = z
  .object({
    space_id: id('The space'),
    about: optional(oneOf(ACT_SUBJECTS)).meta({
      description:
        'Only acts about the space itself, which are those about its policy, its owners and who is in it, or about decisions',
    }),
    since: position().meta({ description: 'Position: only acts after it' }),
    before: position().meta({ description: 'Position: the page just before it' }),
    start: optional(timestamp()).meta({ description: 'Only acts of this time or later' }),
    tail: flag().meta({ description: 'The last page' }),
    limit: optionalInteger(PAGES.acts).meta({
      description: `Default: all, and ${PAGES.acts.default} with before or tail`,
    }),
  })
  .superRefine(({ since, before, start, tail }, context) => requireAtMostOne({ since, before, start, tail }, context))

const place = {
  space_id: z.string(),
  position: z.int().meta({ description: 'Gapless within the space, from 1' }),
  created_at: moment(),
}

const act = {
  ...place,
  decision_id: z.uuid(),
  actor_id: z.string().meta({ description: 'The authenticated actor' }),
  actor_type: z.enum(ACTOR_TYPES),
  sponsor_id: z.string().nullable(),
  credential_id: z.string().meta({ description: '`api_key`, or the id of a personal access token' }),
}

const aboutDecision = [
  z.object({
    ...act,
    kind: z.literal('proposed'),
    proposed_by: z.string(),
    text: z.string(),
    assignees: z.array(z.string()),
    supersedes: z.uuid().nullable(),
    review_at: moment().nullable(),
    rules: SettleRules.meta({ description: 'The rules of the space at that moment' }),
    options: DecisionOptions.optional(),
    action: DecisionAction.optional(),
    expires_at: moment().optional(),
  }),
  z.object({ ...act, kind: z.literal('reviewed'), verdict: z.enum(VERDICTS), note: z.string().nullable() }),
  z.object({
    ...act,
    kind: z.literal('settled'),
    status: z.enum(SETTLED_STATUSES),
    resolved_by: z.string(),
    resolution: z.string(),
    rules: SettleRules.meta({ description: 'The rules of the space at that moment' }),
    approvals: Approvals,
    option: z.string().optional(),
    edit: ActionEdit.optional(),
  }),
  z.object({ ...act, kind: z.literal('superseded'), superseded_by: z.uuid() }),
  z.object({
    ...act,
    kind: z.literal('used'),
    digest: z.string().meta({ description: 'The digest of the action' }),
    rules: SettleRules.meta({ description: 'The rules of the space at that moment' }),
    approvals: Approvals.meta({ description: 'Those that counted at that moment' }),
  }),
] as const

/** An act about a decision. */
export const DecisionAct = z.discriminatedUnion('kind', aboutDecision).meta({ id: 'DecisionAct' })

const actOnSpace = {
  ...place,
  decision_id: z.null(),
  actor_id: z.string().nullable().meta({ description: 'The authenticated actor; null for the operator' }),
  actor_type: z.enum(ACTOR_TYPES).nullable(),
  sponsor_id: z.string().nullable(),
  credential_id: z.string().meta({
    description:
      '`api_key`, the id of a token, or `operator`; of who came in with one, the id of an invite or agent code',
  }),
}

const owners = z.array(z.string()).meta({ description: 'Ids of humans' })

/** An act about a space or one of its decisions. */
export const SpaceAct = z
  .discriminatedUnion('kind', [
    ...aboutDecision,
    z.object({ ...actOnSpace, kind: z.literal('policy_changed'), before: PolicyValues, after: PolicyValues }),
    z.object({ ...actOnSpace, kind: z.literal('owners_changed'), before: owners, after: owners }),
    z.object({
      ...actOnSpace,
      kind: z.literal('visibility_changed'),
      before: z.enum(VISIBILITIES),
      after: z.enum(VISIBILITIES),
    }),
    z.object({ ...actOnSpace, kind: z.literal('participant_added'), participant_id: z.string() }),
    z.object({ ...actOnSpace, kind: z.literal('participant_removed'), participant_id: z.string() }),
  ])
  .meta({ id: 'SpaceAct' })
