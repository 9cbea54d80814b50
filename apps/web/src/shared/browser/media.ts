import { useSyncExternalStore } from 'react'
import { PANEL_COVERS_HISTORY } from '../navigation/paths'

/** Returns a hook that evaluates a media query. */
function mediaHook(condition: string): () => boolean {
  const media = window.matchMedia(condition)
  const subscribe = (listener: () => void) => {
    media.addEventListener('change', listener)
    return () => media.removeEventListener('change', listener)
  }
  return () => useSyncExternalStore(subscribe, () => media.matches)
}

/** Whether the window is as narrow as a phone. */
export const useIsNarrow = mediaHook('(max-width: 40rem)')

/** Whether the open navigation covers the page. */
export const useNavigationCovers = mediaHook('(max-width: 52rem)')

/** Whether panels cover the history. */
export const usePanelsCover = mediaHook(PANEL_COVERS_HISTORY)

/** Whether the inbox has room for its preview. */
export const useHasPreview = mediaHook('(min-width: 64rem)')

/**
 * Whether a physical keyboard is likely: with a mouse, or without any pointer. On touch screens, focusing a field opens
 * a keyboard that hides the content.
 */
export const HAS_KEYBOARD = !window.matchMedia('(pointer: coarse)').matches
