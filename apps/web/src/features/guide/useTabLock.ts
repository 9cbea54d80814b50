import { useEffect, useState } from 'react'
import { useIsVisible } from '../../shared/browser/visible'

/**
 * Returns whether this tab holds the named lock of the browser. Only visible tabs request it, as hidden ones receive no
 * events. Pages over plain HTTP have no Web Locks: there every tab acts, and idempotency keys prevent duplicates.
 */
export function useTabLock(name: string): boolean {
  const [isMine, setIsMine] = useState(false)
  const isVisible = useIsVisible()
  useEffect(() => {
    if (!isVisible) return
    const turn = new AbortController()
    void holdLock(name, turn.signal, () => setIsMine(true))
    return () => {
      turn.abort()
      setIsMine(false)
    }
  }, [name, isVisible])
  return isMine
}

/** Acquires the lock and holds it until the signal aborts. */
async function holdLock(name: string, signal: AbortSignal, onTurn: () => void): Promise<void> {
  if (!window.isSecureContext) return onTurn()
  const keep = () => {
    if (signal.aborted) return
    onTurn()
    return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  }
  // Aborting while queued rejects.
  await navigator.locks.request(name, { signal }, keep).catch(() => undefined)
}
