import { ACTOR_TYPES, LIMITS, PARTICIPANT_ROLES } from '@collab-spaces/domain'
import { z } from 'zod'
import { id, moment, oneOf, optional, text } from './field.js'

export const Participant = z
  .object({
    participant_id: z.string(),
    name: z.string(),
    participant_type: z.enum(ACTOR_TYPES),
    joined_at: moment(),
    agent_adapter: z.string().nullable(),
    actor_id: z.string(),
    role: z.enum(PARTICIPANT_ROLES),
    is_stopped: z.boolean().meta({ description: 'Whether it is an agent that may only read now. Extension' }),
    is_present: z.boolean().meta({
      description:
        'Whether it is a human who looks at the page now and shows it, to participants of the space. Extension',
    }),
  })
  .meta({ id: 'Participant' })

export const JoinSpace = z.object({
  space_id: id('The space'),
  agent_adapter: optional(text(LIMITS.agentAdapter)),
})

export const AddParticipant = z.object({
  space_id: id('The space'),
  actor_id: text(LIMITS.speakerId).meta({ description: 'A human or agent of the tenant' }),
  role: optional(oneOf(PARTICIPANT_ROLES)).meta({
    description: 'Only humans can be owners. Without it, an owner stays one, and others are members',
  }),
})

export const ParticipantId = z.object({ space_id: id('The space'), actor_id: id('The participant') })

export const Block = z.object({ actor_id: z.string(), name: z.string(), created_at: moment() }).meta({ id: 'Block' })

export const BlockedId = z.object({ actor_id: id('The actor to block') })
