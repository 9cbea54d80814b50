import type { Event } from '@collab-spaces/client'

/** The actions on an event. */
export interface EventActions {
  reply(event: Event): void
  openThread(event: Event): void
  showDetails(event: Event): void
  /** Copies the Markdown source. */
  copyText(event: Event): void
  copyLink(event: Event): void
  /** Proposes its text as a decision; null where the account cannot propose. */
  readonly propose: ((event: Event) => void) | null
  /** Scrolls to another event of the history. */
  goTo(eventId: string): void
}
