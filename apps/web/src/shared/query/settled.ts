import { useEffect, useState } from 'react'

/** How long somebody stops typing before the server is asked about it. */
const PAUSE_MS = 200

/** The typed text, once it has not changed for a moment. */
export function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
