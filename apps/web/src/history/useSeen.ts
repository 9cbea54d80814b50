import type { Event } from '@collab-spaces/client'
import { useEffect, useSyncExternalStore } from 'react'
import type { HistoryState } from './history'

/** Tells `onRead` whenever the reader has the newest event before their eyes. */
export function useSeen(state: HistoryState, isAtEnd: boolean, onRead: (newest: Event | null) => void): void {
  const isVisible = useIsVisible()
  const isSeen = state.status === 'ready' && isAtEnd && !state.hasNewer && isVisible
  const newest = state.events.at(-1) ?? null
  useEffect(() => {
    if (isSeen) onRead(newest)
  }, [isSeen, newest, onRead])
}

/** Whether the page can be seen, and not another tab. */
const useIsVisible = () =>
  useSyncExternalStore(
    (listener) => {
      document.addEventListener('visibilitychange', listener)
      return () => document.removeEventListener('visibilitychange', listener)
    },
    () => document.visibilityState === 'visible',
  )
