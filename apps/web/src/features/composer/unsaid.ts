import { accounts } from '../../shared/session/session'
import { draftsOf, forgetDrafts } from './drafts'
import { forgetOutboxes, unsentBy } from './outboxes'

/** By it, one tab tells the others on the device who has signed out. */
const SIGNED_OUT = 'spaces.signed-out'

/** A text that nobody has seen yet, and the space that it is for. */
export interface Unsaid {
  readonly spaceId: string
  readonly text: string
}

/** Texts that an account has begun to write, or failed to send from this tab. */
export const unsaidBy = (actorId: string): Unsaid[] => [...unsentBy(actorId), ...draftsOf(actorId)]

/** Leaves no text of an account that has signed out, to be read or sent later: here, and in tabs that end it, too. */
export function forgetUnsaid(actorId: string): void {
  forgetDrafts(actorId)
  forgetOutboxes(actorId)
  window.localStorage.setItem(SIGNED_OUT, actorId)
  window.localStorage.removeItem(SIGNED_OUT)
}

/** Another tab has changed what the device keeps. */
export function handleSignOut({ key, newValue: actorId }: StorageEvent): void {
  if (key === SIGNED_OUT && actorId !== null && !accounts.find(actorId)) forgetOutboxes(actorId)
}
