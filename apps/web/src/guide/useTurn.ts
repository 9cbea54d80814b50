import { useEffect, useState } from 'react'

/**
 * Whether it is for this tab to act, of all in this browser that would: one that is in sight, as others are told nothing.
 * Pages over plain HTTP have no locks. There, each acts, and idempotency keys have it done once all the same.
 */
export function useTurn(name: string): boolean {
  const [isMine, setIsMine] = useState(false)
  useEffect(() => {
    let turn = new AbortController()
    const onChange = () => {
      turn.abort()
      turn = new AbortController()
      setIsMine(false)
      if (document.visibilityState === 'visible') void takeTurn(name, turn.signal, () => setIsMine(true))
    }
    onChange()
    document.addEventListener('visibilitychange', onChange)
    return () => {
      turn.abort()
      document.removeEventListener('visibilitychange', onChange)
    }
  }, [name])
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
