import { useSyncExternalStore } from 'react'

/** Makes a hook that says whether the window is in a condition, in the words of the styles. */
function whether(condition: string): () => boolean {
  const media = window.matchMedia(condition)
  const subscribe = (listener: () => void) => {
    media.addEventListener('change', listener)
    return () => media.removeEventListener('change', listener)
  }
  return () => useSyncExternalStore(subscribe, () => media.matches)
}

/** Whether it is as narrow as a phone, where some things have to stand elsewhere. */
export const useIsNarrow = whether('(max-width: 40rem)')

/** Whether there is room for the inbox and what is chosen in it. */
export const useHasPreview = whether('(min-width: 64rem)')

/** Somebody who opens a thread writes in it. On a touch screen, a keyboard that comes up would hide what is to be read. */
export const HAS_KEYBOARD = window.matchMedia('(pointer: fine)').matches
