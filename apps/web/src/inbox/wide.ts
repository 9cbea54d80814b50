import { useSyncExternalStore } from 'react'

/** As the styles have it: where there is room for a list and what is chosen in it. */
const WIDE = window.matchMedia('(min-width: 64rem)')

function subscribe(listener: () => void): () => void {
  WIDE.addEventListener('change', listener)
  return () => WIDE.removeEventListener('change', listener)
}

export const useHasPreview = (): boolean => useSyncExternalStore(subscribe, () => WIDE.matches)
