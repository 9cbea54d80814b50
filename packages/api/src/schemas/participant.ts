import { ACTOR_TYPES, LIMITS } from '@collab-spaces/domain'
import { z } from 'zod'
import { id, moment, optional, text } from './field.js'

export const Participant = z
  .object({
    participant_id: z.string(),
    name: z.string(),
    participant_type: z.enum(ACTOR_TYPES),
    joined_at: moment(),
    agent_adapter: z.string().nullable(),
    actor_id: z.string(),
  })
  .meta({ id: 'Participant' })

export const JoinSpace = z.object({
  space_id: id('The space'),
  agent_adapter: optional(text(LIMITS.agentAdapter)),
})
