import { LIMITS, PAGES } from '@collab-spaces/domain'
import { z } from 'zod'
import { Event } from './event.js'
import { integer, oneOf, optional, text } from './field.js'

export const Match = Event.extend({
  rank: z.number(),
  snippet: z.string().meta({ description: 'The text around the match, which is between « and »' }),
}).meta({ id: 'Match' })
export type Match = z.output<typeof Match>

const space = () => z.string({ error: 'must be a string' })

export const Search = z
  .object({
    q: text(LIMITS.query).meta({ description: 'Words, "a phrase", -not, or' }),
    space_id: optional(space()).meta({ description: 'Only this space' }),
    linked_to: optional(space()).meta({ description: 'This space and those linked to it, in either direction' }),
    limit: integer(PAGES.search),
    sort: optional(oneOf(['newest', 'relevance'])).meta({ description: 'Default: newest' }),
  })
  .superRefine(({ space_id, linked_to }, context) => {
    if (space_id !== undefined && linked_to !== undefined) {
      context.addIssue({ code: 'custom', path: ['space_id'], message: 'cannot be combined with linked_to' })
    }
  })
