import type { Event } from '@collab-spaces/client'
import type { Row } from './rows'

const NONE: readonly Event[] = []

/** Returns the events that a row represents. The lines of an open transcript are separate rows. */
export function eventsOf(row: Row): readonly Event[] {
  switch (row.kind) {
    case 'event':
      return [row.event]
    case 'thread':
      return row.events
    case 'transcript':
      return row.isOpen ? NONE : row.events
    case 'act':
    case 'outgoing':
      return NONE
  }
}

/** Returns whether a row represents an event. */
export const representsEvent = (row: Row, eventId: string | null): boolean =>
  eventId !== null && eventsOf(row).some(({ event_id }) => event_id === eventId)
