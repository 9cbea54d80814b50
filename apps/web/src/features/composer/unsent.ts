import { accounts } from '../../shared/session/session'
import { forgetUploads } from '../file/upload-queues'
import { draftsOf, forgetDrafts } from './drafts'
import { forgetOutboxes, unsentMessagesOf } from './outboxes'

/** The storage key that tells other tabs which account has signed out. */
const SIGNED_OUT = 'spaces.signed-out'

/** A text that was not posted, and its space. */
export interface UnsentText {
  readonly spaceId: string
  readonly text: string
}

/** Returns the drafts of an account and the messages that this tab failed to send. */
export const unsentTextsOf = (actorId: string): UnsentText[] => [...unsentMessagesOf(actorId), ...draftsOf(actorId)]

/** Deletes all unsent texts of an account that has signed out, also in other tabs. */
export function forgetUnsent(actorId: string): void {
  forgetDrafts(actorId)
  forgetOutboxes(actorId)
  forgetUploads(actorId)
  window.localStorage.setItem(SIGNED_OUT, actorId)
  window.localStorage.removeItem(SIGNED_OUT)
}

/** Handles a `storage` event by which another tab announces a sign-out. */
export function handleSignOut({ key, newValue: actorId }: StorageEvent): void {
  if (key === SIGNED_OUT && actorId !== null && !accounts.find(actorId)) {
    forgetOutboxes(actorId)
    forgetUploads(actorId)
  }
}
