import { CONTEXT_BUDGET, CONTEXT_SECTIONS, LIMITS } from '@collab-spaces/domain'
import { z } from 'zod'
import { id, integer, optional, text } from './field.js'

export const ReadContext = z.object({
  space_id: id('The space'),
  budget: integer(CONTEXT_BUDGET).meta({ description: 'How many tokens it may take, as they are estimated' }),
  focus: optional(z.string({ error: 'must be a string' })).meta({
    description: 'Event id: this event and those that it answers are part of it',
  }),
  q: optional(text(LIMITS.query)).meta({ description: 'Events that match are part of it: as in a search' }),
})

const Section = z.object({
  name: z.enum(CONTEXT_SECTIONS),
  tokens: z.int(),
  items: z.int().meta({ description: 'How many decisions or events it shows, or summarizes' }),
})

export const Context = z
  .object({
    text: z.string().meta({ description: 'Markdown; what participants wrote stands between tags' }),
    used: z.int().meta({ description: 'Tokens of the text, estimated rather high' }),
    budget: z.int(),
    estimator: z.string().meta({ description: 'What estimated them' }),
    sections: z.array(Section).meta({ description: 'In the order of the text' }),
    omitted: z
      .object({
        events: z.int().meta({ description: 'How many events are in no section' }),
        from: z.string().nullable().meta({ description: 'Event id: the first event of the space' }),
        to: z
          .string()
          .nullable()
          .meta({ description: 'Event id: the last event before the newest ones that are shown' }),
      })
      .meta({ description: 'What lies before the newest events; a page of it: `before` the first one that is shown' }),
    cursor: z.string().nullable().meta({ description: 'Event id: the newest event. Continue with `events?since=`' }),
  })
  .meta({ id: 'Context' })
