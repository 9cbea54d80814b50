import { NOTICE_LEVELS } from '@collab-spaces/domain'
import { z } from 'zod'
import { id, oneOf, optional } from './field.js'

export const Preferences = z
  .object({
    pinned: z.boolean(),
    notices: z.enum(NOTICE_LEVELS).meta({
      description:
        'The events that notify the caller while away: mentions, replies and conversations (`mentions`), also threads of the caller (`all`), or none (`none`)',
    }),
  })
  .meta({ id: 'Preferences' })

export const ChangePreferences = z.object({
  space_id: id('The space'),
  pinned: optional(z.boolean({ error: 'must be true or false' })),
  notices: optional(oneOf(NOTICE_LEVELS)),
})
