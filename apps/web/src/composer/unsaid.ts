import { accounts } from '../session/session'
import { forgetDrafts } from './drafts'
import { forgetOutboxes } from './outboxes'

/** By it, one tab tells the others on the device who has signed out. */
const SIGNED_OUT = 'spaces.signed-out'

/** Who has signed out leaves nothing unsaid behind, nor says it later: here, and in tabs where that ends the account, too. */
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
