import { useSyncExternalStore } from 'react'
import { Cell } from '../cell'

/** Returns whether this tab is visible. */
export const useIsVisible = () =>
  useSyncExternalStore(
    (listener) => {
      document.addEventListener('visibilitychange', listener)
      return () => document.removeEventListener('visibilitychange', listener)
    },
    () => document.visibilityState === 'visible',
  )

/** False after a while without input: nothing is seen. An account that reports no presence always has a reader. */
export const hasReader = new Cell(true)

/** Holds a shared lock while this tab is visible. A closed or crashed tab releases it. Returns a cleanup function. */
export function holdWhileVisible(lock: string): () => void {
  let release = () => {}
  const look = () => {
    release()
    if (document.visibilityState !== 'visible') return
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    void navigator.locks?.request(lock, { mode: 'shared' }, () => held)
  }
  look()
  document.addEventListener('visibilitychange', look)
  return () => {
    release()
    document.removeEventListener('visibilitychange', look)
  }
}

/** Returns whether any tab of this browser holds a lock. */
export async function isHeld(lock: string): Promise<boolean> {
  const { held = [] } = await navigator.locks.query()
  return held.some(({ name }) => name === lock)
}

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
