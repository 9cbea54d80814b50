import { LIMITS } from '@collab-spaces/domain'
import { z } from 'zod'
import { Event } from './event.js'
import { id, moment, text } from './field.js'

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

export const StartThread = z.object({
  space_id: id('The space'),
  parent_event_id: text(LIMITS.speakerId).meta({ description: 'The event that the thread starts on' }),
  subject: text(LIMITS.subject),
})

export const FindThread = z.object({
  space_id: id('The space'),
  event_id: id('The thread, or the event it starts on'),
})
