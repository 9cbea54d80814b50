import type { Event } from '@collab-spaces/client'

/** The actions on an event. */
export interface EventActions {
  reply(event: Event): void
  openThread(event: Event): void
  showDetails(event: Event): void
  /** Copies the source of its text. */
  copyText(event: Event): void
  copyLink(event: Event): void
  /** Proposes as a decision what it says; null where nothing can be proposed now. */
  readonly propose: ((event: Event) => void) | null
  /** Takes the reader to another event of the same history. */
  goTo(eventId: string): void
}
