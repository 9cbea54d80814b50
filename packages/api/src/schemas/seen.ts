import { LIMITS } from '@collab-spaces/domain'
import { z } from 'zod'
import { id, optional } from './field.js'

/** Fields that lists and status views have, too. */
export const seenFields = {
  seen_event_id: z.uuid().nullable().meta({
    description: 'The last event that the caller says it has seen; null for none. Extension',
  }),
  unread_count: z.int().meta({
    description: `How many events came after that, up to ${LIMITS.unread}, which means as many or more; 0 for a space that the caller has neither joined nor looked at. Extension`,
  }),
}

export const Seen = z.object({ space_id: z.string(), ...seenFields }).meta({ id: 'Seen' })

export const MarkSeen = z.object({
  space_id: id('The space'),
  event_id: optional(id('The last event that was seen')).meta({
    description: 'The last event that was seen; by default the newest of the space',
  }),
})
