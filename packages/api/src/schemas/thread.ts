import { LIMITS, PAGES } from '@collab-spaces/domain'
import { z } from 'zod'
import { Event } from './event.js'
import { id, integer, moment, name, optional, text } from './field.js'

export const Thread = z
  .object({
    thread_id: z.uuid(),
    space_id: z.string(),
    parent_event_id: z
      .string()
      .nullable()
      .meta({ description: 'The event that it is about; null for one about a decision' }),
    subject: z.string(),
    created_at: moment(),
    decision_id: z.uuid().optional().meta({ description: 'The decision that it is about' }),
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
      files: Event.shape.files.meta({ description: 'Only if it has any that are not deleted' }),
    })
    .nullable(),
}).meta({ id: 'ActiveThread' })

export const ListThreads = z.object({
  space_id: id('The space'),
  limit: integer(PAGES.threads),
  before: optional(z.string()).meta({ description: 'Thread id: those with activity before it' }),
  event_id: optional(z.string()).meta({ description: 'Only the thread with this id, or about this event or decision' }),
})

export const StartThread = z
  .object({
    space_id: id('The space'),
    parent_event_id: optional(text(LIMITS.speakerId)).meta({ description: 'The event that the thread starts on' }),
    decision_id: optional(text(LIMITS.speakerId)).meta({ description: 'In its place, a decision. Extension' }),
    subject: name(LIMITS.subject),
  })
  .superRefine(({ parent_event_id, decision_id }, context) => {
    if ((parent_event_id === undefined) !== (decision_id === undefined)) return
    const [field, message] =
      decision_id === undefined
        ? ['parent_event_id', 'is required']
        : ['decision_id', 'cannot be combined with parent_event_id']
    context.addIssue({ code: 'custom', path: [field], message })
  })

export const FindThread = z.object({
  space_id: id('The space'),
  event_id: id('The thread, or the event or decision it is about'),
})
