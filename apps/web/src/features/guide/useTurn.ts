import { useEffect, useState } from 'react'
import { useIsVisible } from '../../shared/browser/visible'

/**
 * Whether it is for this tab to act, of all in this browser that would: one that is in sight, as others are told nothing.
 * Pages over plain HTTP have no locks. There, each acts, and idempotency keys have it done once all the same.
 */
export function useTurn(name: string): boolean {
  const [isMine, setIsMine] = useState(false)
  const isVisible = useIsVisible()
  useEffect(() => {
    if (!isVisible) return
    const turn = new AbortController()
    void takeTurn(name, turn.signal, () => setIsMine(true))
    return () => {
      turn.abort()
      setIsMine(false)
    }
  }, [name, isVisible])
  return isMine
}

/** Waits for the turn, and keeps it until the signal fires. */
async function takeTurn(name: string, signal: AbortSignal, onTurn: () => void): Promise<void> {
  if (!window.isSecureContext) return onTurn()
  const keep = () => {
    if (signal.aborted) return
    onTurn()
    return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  }
  // A tab that stops waiting is told so by an error.
  await navigator.locks.request(name, { signal }, keep).catch(() => undefined)
}
