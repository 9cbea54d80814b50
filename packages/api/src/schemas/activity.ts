import { PAGES } from '@collab-spaces/domain'
import { z } from 'zod'
import { Event } from './event.js'
import { id, integer, moment, optional, timestamp } from './field.js'

export const Activity = z
  .object({
    space_id: z.string(),
    since: moment(),
    participants: z.array(
      z.object({
        participant_id: z.string(),
        name: z.string(),
        participant_type: z.string(),
        is_claimed: z.boolean().meta({
          description:
            'Whether the name and type are only what another actor said, of a speaker who has not joined. Extension',
        }),
        event_count: z.int(),
        last_event_at: moment().nullable(),
        events: z.array(Event),
      }),
    ),
  })
  .meta({ id: 'Activity' })

export const ReadActivity = z.object({
  space_id: id('The space'),
  since: optional(timestamp()).meta({ description: 'Default: one hour ago' }),
  max_events: integer(PAGES.activity),
})
