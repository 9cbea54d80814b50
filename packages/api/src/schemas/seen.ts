import { LIMITS } from '@collab-spaces/domain'
import { z } from 'zod'
import { id, optional } from './field.js'

/** Also fields of lists of spaces and of status views. */
export const seenFields = {
  seen_event_id: z.uuid().nullable().meta({
    description: 'The last event that the caller marked as seen; null for none. Extension',
  }),
  unread_count: z.int().meta({
    description: `The number of later events of other actors, at most ${LIMITS.unread}, which means that many or more events came; 0 for a space that the caller has neither joined nor marked. Extension`,
  }),
}

export const Seen = z.object({ space_id: z.string(), ...seenFields }).meta({ id: 'Seen' })

export const MarkSeen = z.object({
  space_id: id('The space'),
  event_id: optional(id('The last event that was seen')).meta({
    description: 'The last event that was seen; by default the newest of the space',
  }),
})

export const UnmarkSeen = z.object({
  space_id: id('The space'),
  event_id: optional(id('The first unread event')).meta({
    description: 'The first event to be unread; by default the newest of another actor',
  }),
})
