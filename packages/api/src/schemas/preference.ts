import { NOTICE_LEVELS } from '@collab-spaces/domain'
import { z } from 'zod'
import { id, oneOf, optional } from './field.js'

export const Preferences = z
  .object({
    pinned: z.boolean(),
    notices: z.enum(NOTICE_LEVELS).meta({
      description:
        'Of what the caller is told while away: what mentions or answers it or is in a conversation (`mentions`), threads that it takes part in, too (`all`), or nothing (`none`)',
    }),
  })
  .meta({ id: 'Preferences' })

export const ChangePreferences = z.object({
  space_id: id('The space'),
  pinned: optional(z.boolean({ error: 'must be true or false' })),
  notices: optional(oneOf(NOTICE_LEVELS)),
})
