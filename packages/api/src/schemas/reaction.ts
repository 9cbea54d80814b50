import { LIMITS } from '@collab-spaces/domain'
import { z } from 'zod'
import { id, text } from './field.js'

export const Reaction = z
  .object({
    emoji: z.string(),
    count: z.int(),
    actors: z
      .array(z.object({ actor_id: z.string(), name: z.string() }))
      .meta({ description: 'Who reacted so, the first ones: of an event of a list, at most 10' }),
  })
  .meta({ id: 'Reaction' })

export const ReactionKey = z.object({
  space_id: id('The space'),
  event_id: id('The event'),
  emoji: text(LIMITS.emoji).meta({ description: 'A single emoji, percent-encoded', examples: ['👍'] }),
})
