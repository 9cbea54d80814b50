import { useSyncExternalStore } from 'react'

/** Whether the page can be seen, and not another tab. */
export const useIsVisible = () =>
  useSyncExternalStore(
    (listener) => {
      document.addEventListener('visibilitychange', listener)
      return () => document.removeEventListener('visibilitychange', listener)
    },
    () => document.visibilityState === 'visible',
  )

/** How long a tab may be out of sight and still be sent what happens, over one of the few connections of a browser. */
const REST_AFTER_MS = 1_000

/** Wakes it while the tab is in sight, also at once, and lets it rest after a moment out of sight. Returns the stop. */
export function restOutOfSight(what: { wake(): void; rest(): void }): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    clearTimeout(timer)
    if (document.visibilityState === 'visible') what.wake()
    else timer = setTimeout(() => what.rest(), REST_AFTER_MS)
  }
  look()
  document.addEventListener('visibilitychange', look)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', look)
  }
}
