import { LIMITS, SETTLERS } from '@collab-spaces/domain'
import { z } from 'zod'
import { id, list, moment, oneOf, optional, optionalFlag, optionalInteger, text } from './field.js'

export const SettleRules = z
  .object({
    who: z.enum(SETTLERS).meta({ description: 'Who may settle decisions' }),
    named: z.array(z.string()).meta({ description: 'The actors that may, if `who` is `named`' }),
    approvals: z.int().meta({ description: 'How many approvals a decision needs before it can be resolved' }),
    independent: z.boolean().meta({
      description: 'Whether a human and their agents count once, however many of them approve',
    }),
    proposer_may_settle: z.boolean(),
  })
  .meta({ id: 'SettleRules' })

const values = {
  settle: SettleRules,
  loop_guard: z
    .object({
      total: z.int().meta({ description: 'Events that all agents may post until a human does; 0 for any number' }),
      per_agent: z.int().meta({ description: 'Events that each agent may post until then; 0 for any number' }),
    })
    .meta({ id: 'LoopGuard' }),
}

/** A policy as it was before a change, or after it. */
export const PolicyValues = z.object(values).meta({ id: 'PolicyValues' })

export const Policy = z
  .object({
    space_id: z.string(),
    ...values,
    changed_by: z.string().nullable().meta({ description: 'Null for the default policy' }),
    changed_at: moment().nullable(),
  })
  .meta({ id: 'Policy' })

const NO_OBJECT = { error: 'must be a JSON object' }

export const SetPolicy = z.object({
  space_id: id('The space'),
  settle: optional(
    z.object(
      {
        who: optional(oneOf(SETTLERS)),
        named: optional(list(text(LIMITS.speakerId), LIMITS.resolvers, 'actor ids')),
        approvals: optionalInteger({ min: 0, max: LIMITS.requiredApprovals }),
        independent: optionalFlag(),
        proposer_may_settle: optionalFlag(),
      },
      NO_OBJECT,
    ),
  ),
  loop_guard: optional(
    z.object(
      {
        total: optionalInteger({ min: 0, max: LIMITS.guardedRun }),
        per_agent: optionalInteger({ min: 0, max: LIMITS.guardedOwn }),
      },
      NO_OBJECT,
    ),
  ),
})
