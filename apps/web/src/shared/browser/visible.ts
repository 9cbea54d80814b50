import { useSyncExternalStore } from 'react'

/** Returns whether this tab is visible. */
export const useIsVisible = () =>
  useSyncExternalStore(
    (listener) => {
      document.addEventListener('visibilitychange', listener)
      return () => document.removeEventListener('visibilitychange', listener)
    },
    () => document.visibilityState === 'visible',
  )

/** The delay after which a hidden tab closes its stream, to free one of the browser's few connections. */
const REST_DELAY_MS = 1_000

/**
 * Calls `wake` when the tab is visible, also now, and `rest` after it was hidden for a moment. Returns a cleanup
 * function.
 */
export function pauseWhileHidden(what: { wake(): void; rest(): void }): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    clearTimeout(timer)
    if (document.visibilityState === 'visible') what.wake()
    else timer = setTimeout(() => what.rest(), REST_DELAY_MS)
  }
  look()
  document.addEventListener('visibilitychange', look)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', look)
  }
}
