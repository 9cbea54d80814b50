import { EVENT_TIMES, LIMITS, PAGES } from '@collab-spaces/domain'
import { z } from 'zod'
import { Event } from './event.js'
import { id, integer, moment, oneOf, optional, optionalInteger, timestamp } from './field.js'

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
        buckets: z.array(z.int()).optional().meta({
          description: 'If asked for: how many events there were in each part of the time, oldest first. Extension',
        }),
        events: z.array(Event),
      }),
    ),
  })
  .meta({ id: 'Activity' })

export const ReadActivity = z.object({
  space_id: id('The space'),
  since: optional(timestamp()).meta({ description: 'Default: one hour ago' }),
  by: optional(oneOf(EVENT_TIMES).meta({ override: { default: 'timestamp' } })).meta({
    description: 'The time that counts: `timestamp`, or `occurred_at` of the events that have it. Extension',
  }),
  max_events: integer(PAGES.activity),
  buckets: optionalInteger({ min: 1, max: LIMITS.activityBuckets }).meta({
    description:
      'Into how many equal parts the time from `since` until now is divided, to count events in each. Extension',
  }),
})
