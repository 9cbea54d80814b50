import { DECISION_STATUSES, LIMITS, SETTLED_STATUSES } from '@collab-spaces/domain'
import { z } from 'zod'
import { id, idempotencyKey, moment, oneOf, optional, text } from './field.js'

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
  })
  .meta({ id: 'Decision' })

export const DecisionCounts = z
  .object({ proposed: z.int(), resolved: z.int(), rejected: z.int() })
  .meta({ id: 'DecisionCounts' })

const space_id = id('The space')
const decision_id = id('The decision')

export const ListDecisions = z.object({ space_id, status: optional(oneOf(DECISION_STATUSES)) })

export const ProposeDecision = z.object({
  space_id,
  proposed_by: text(LIMITS.speakerId).meta({ description: 'Actor id' }),
  text: text(LIMITS.text),
  idempotency_key: idempotencyKey(),
})

export const DecisionId = z.object({ space_id, decision_id })

export const SettleDecision = z.object({
  space_id,
  decision_id,
  resolved_by: text(LIMITS.speakerId).meta({ description: 'Actor id' }),
  resolution: text(LIMITS.resolution),
  status: oneOf(SETTLED_STATUSES),
})
