import type { Event } from '@collab-spaces/client'

/** What can be done with an event. */
export interface EventActions {
  reply(event: Event): void
  openThread(event: Event): void
  showDetails(event: Event): void
  copyLink(event: Event): void
  /** Takes the reader to another event of the same history. */
  goTo(eventId: string): void
}
