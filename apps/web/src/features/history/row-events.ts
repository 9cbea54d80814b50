import type { Event } from '@collab-spaces/client'
import type { Row } from './rows'

const NONE: readonly Event[] = []

/** The events that a row shows, or stands for. Of a transcript that is open, its lines are rows of their own. */
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

/** Whether a row shows an event. */
export const holds = (row: Row, eventId: string | null): boolean =>
  eventId !== null && eventsOf(row).some(({ event_id }) => event_id === eventId)
