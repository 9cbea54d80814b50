import { type Event, LIMITS, type RouterInputs, SpacesError, shownTime } from '@collab-spaces/client'
import { originOf } from './origin.js'

/** An event of an export as it is sent. */
export type Draft = RouterInputs['event']['appendBatch']['events'][number]

/** Events of one call. */
export const MAX_EVENTS = LIMITS.batch
/** Below the 4 MiB that the server takes in one call, with room for what surrounds the events. */
export const MAX_BYTES = 3 * 1024 * 1024

/** Returns an event as it is sent, but for the thread and the parent, which have other IDs where it is imported. */
export const draftOf = (event: Event): Draft => ({
  speaker_id: event.speaker_id,
  speaker_name: event.speaker_name,
  speaker_type: event.speaker_type,
  text: event.text,
  references: event.references,
  metadata: originOf(event),
  occurred_at: shownTime(event),
  idempotency_key: `import:${event.event_id}`,
})

/** The beginning of an error that names an event of a batch. */
export const REFUSED = /^events\.(\d+)[.:] ?/

/** Returns the index of the event that was refused; null when the error is about something else. */
export function refusedIn(error: unknown): number | null {
  const [, index] = (error instanceof SpacesError && REFUSED.exec(error.detail)) || []
  return index === undefined ? null : Number(index)
}
