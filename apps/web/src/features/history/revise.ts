import type { Event } from '@collab-spaces/client'
import type { Message } from '../composer/outbox'

/** Returns whether an account can edit or retract an event. */
export const canRevise = (event: Event, actorId: string): boolean =>
  event.posted_by === actorId && (event.redacted_at ?? event.retracted_by ?? event.retracts) === undefined

/** Returns the last event that an account can edit; null without one. */
export const lastRevisable = (events: readonly Event[], actorId: string): Event | null =>
  events.findLast((event) => canRevise(event, actorId)) ?? null

/** Returns the message that replaces the text of an event. The server places it like that event. */
export const correctionOf = (event: Event, message: Pick<Message, 'text' | 'mentions'>): Message => ({
  ...message,
  corrects: event.event_id,
  parentEventId: event.parent_event_id,
  threadId: event.thread_id,
})
