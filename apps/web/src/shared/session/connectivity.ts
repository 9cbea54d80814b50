import { SpacesError } from '@collab-spaces/client'
import { Cell } from '../cell'

/**
 * How the server can be reached: `offline` is the browser's word, `silent` that the server has not answered lately. The
 * browser's word is not the whole truth, as a server on the same machine needs no network: an answer counts for more.
 */
export type Connectivity = 'reached' | 'silent' | 'offline'

export const connectivity = new Cell<Connectivity>(navigator.onLine ? 'reached' : 'offline')

/** How soon somebody who waits for an answer tries again, unless it is known before that the server is back. */
const TRY_AGAIN_MS = 5_000

window.addEventListener('offline', () => connectivity.set('offline'))
// Whether the server is there as well, the next call tells.
window.addEventListener('online', () => connectivity.set('reached'))

/** Learns from a call that failed, or is about to be repeated. A server that answers at all can be reached. */
export function noteFailure(error: unknown): void {
  if (isUnanswered(error)) connectivity.set(navigator.onLine ? 'silent' : 'offline')
  else if (error instanceof SpacesError && error.status !== null) noteAnswer()
}

/** Whether a call failed because no answer came; what is called off is not meant. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof SpacesError && error.status === null && error.mayPass

export const noteAnswer = (): void => connectivity.set('reached')

/** Resolves when the server answers again, or after a while in which it may have come back. */
export function worthAnotherTry(): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const timer = setTimeout(done, TRY_AGAIN_MS)
    const stop = onReached(done)
  })
}

/** Calls that when the server can be reached again; returns how to stop. */
export function onReached(then: () => void): () => void {
  return connectivity.subscribe(() => connectivity.value === 'reached' && then())
}
