import { useEffect } from 'react'

/** In many layouts, a letter may be a mark, as of a vowel. */
const OTHER_LETTER = /^(?!\p{Script=Latin})[\p{L}\p{M}]/u

/** Returns the key of an event for shortcuts. In a layout without Latin letters, it is the Latin letter in that place. */
export function shortcutKeyOf({ key, code, shiftKey }: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): string {
  if (code === 'Slash' && shiftKey && !/^[\0-\x7f]/.test(key)) return '?'
  // An input method may keep what it makes of a key to itself.
  if (!OTHER_LETTER.test(key) && key !== 'Process') return key
  const [, letter = key] = /^Key([A-Z])$/.exec(code) ?? []
  return letter === key ? key : letter.toLowerCase()
}

/**
 * Calls `act` for a key that is pressed where nothing is being typed. If it returns false, the key was not for it, and does
 * what it always does.
 */
export function useShortcut(key: string, act: (event: KeyboardEvent) => unknown): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (shortcutKeyOf(event) !== key || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
        return
      if (act(event) !== false) event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [key, act])
}

/** Keys belong to what is being typed into, and to a window or a menu that is open. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [role=dialog], [role=menu]') !== null
