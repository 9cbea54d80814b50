import { SpacesError } from '@collab-spaces/client'
import { Cell } from '../cell'

/**
 * Whether the server is reachable. `offline`: the browser reports no network. `silent`: the server has not answered. An
 * answer overrides `offline`, as a local server needs no network.
 */
export type Connectivity = 'reached' | 'silent' | 'offline'

export const connectivity = new Cell<Connectivity>(navigator.onLine ? 'reached' : 'offline')

/** The retry delay, unless the server is known to be reachable before. */
const RETRY_DELAY_MS = 5_000

window.addEventListener('offline', () => connectivity.set('offline'))
// The next call shows whether the server is reachable, too.
window.addEventListener('online', () => connectivity.set('reached'))

/** Updates the state after a call failed or is retried. An error response means that the server is reachable. */
export function noteFailure(error: unknown): void {
  if (isUnanswered(error)) connectivity.set(navigator.onLine ? 'silent' : 'offline')
  else if (error instanceof SpacesError && error.status !== null) noteAnswer()
}

/** Returns whether a call failed without a response, and was not aborted. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof SpacesError && error.status === null && error.mayPass

export const noteAnswer = (): void => connectivity.set('reached')

/** Asks the server for a sign of life, and updates the state. */
export async function isServerReachable(): Promise<boolean> {
  try {
    await fetch('/health', { method: 'HEAD', cache: 'no-store' })
    noteAnswer()
    return true
  } catch {
    connectivity.set(navigator.onLine ? 'silent' : 'offline')
    return false
  }
}

/** Resolves when the server is reachable again, or after the retry delay. */
export function nextRetry(): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const timer = setTimeout(done, RETRY_DELAY_MS)
    const stop = onReached(done)
  })
}

/** Calls the function when the server is reachable again. Returns an unsubscribe function. */
export function onReached(then: () => void): () => void {
  return connectivity.subscribe(() => connectivity.value === 'reached' && then())
}
