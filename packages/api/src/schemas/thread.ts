import { LIMITS, PAGES } from '@collab-spaces/domain'
import { z } from 'zod'
import { Event } from './event.js'
import { id, integer, moment, name, optional, text } from './field.js'

export const Thread = z
  .object({
    thread_id: z.uuid(),
    space_id: z.string(),
    parent_event_id: z.string(),
    subject: z.string(),
    created_at: moment(),
  })
  .meta({ id: 'Thread' })

export const ThreadWithEvents = z.object({ thread: Thread, events: z.array(Event) }).meta({ id: 'ThreadWithEvents' })

/** A thread in a list. */
export const ActiveThread = Thread.extend({
  event_count: z.int(),
  last_event: z
    .object({
      event_id: z.string(),
      ...Event.pick({
        speaker_id: true,
        speaker_name: true,
        speaker_type: true,
        posted_by: true,
        posted_by_name: true,
        posted_by_type: true,
      }).shape,
      timestamp: moment(),
      excerpt: z.string().meta({ description: 'The first 200 characters of its text' }),
    })
    .nullable(),
}).meta({ id: 'ActiveThread' })

export const ListThreads = z.object({
  space_id: id('The space'),
  limit: integer(PAGES.threads),
  before: optional(z.string()).meta({ description: 'Thread id: those with activity before it' }),
  event_id: optional(z.string()).meta({ description: 'Only the thread with this id, or that starts on this event' }),
})

export const StartThread = z.object({
  space_id: id('The space'),
  parent_event_id: text(LIMITS.speakerId).meta({ description: 'The event that the thread starts on' }),
  subject: name(LIMITS.subject),
})

export const FindThread = z.object({
  space_id: id('The space'),
  event_id: id('The thread, or the event it starts on'),
})
