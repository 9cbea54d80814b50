import { useSyncExternalStore } from 'react'

/** As the styles have it for a phone. */
const NARROW = window.matchMedia('(max-width: 40rem)')

function subscribe(listener: () => void): () => void {
  NARROW.addEventListener('change', listener)
  return () => NARROW.removeEventListener('change', listener)
}

/** Whether the window is as narrow as a phone, where some things have to stand elsewhere. */
export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => NARROW.matches)
