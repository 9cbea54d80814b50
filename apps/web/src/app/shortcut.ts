import { useEffect } from 'react'

/**
 * Calls `act` for a key that is pressed where nothing is being typed. If it returns false, the key was not for it, and does
 * what it always does.
 */
export function useShortcut(key: string, act: (event: KeyboardEvent) => unknown): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (act(event) !== false) event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [key, act])
}

/** Keys belong to what is being typed into, and to a window or a menu that is open. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [role=dialog], [role=menu]') !== null
