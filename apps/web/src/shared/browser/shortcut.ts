import { useEffect } from 'react'

/** A non-Latin letter, or a combining mark, which some layouts type by letter keys. */
const OTHER_LETTER = /^(?!\p{Script=Latin})[\p{L}\p{M}]/u

/** Returns the key of an event for shortcuts. In a non-Latin layout, it is the Latin letter on that key. */
export function shortcutKeyOf({ key, code, shiftKey }: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): string {
  if (code === 'Slash' && shiftKey && !/^[\0-\x7f]/.test(key)) return '?'
  // An input method may report its keys as `Process`.
  if (!OTHER_LETTER.test(key) && key !== 'Process') return key
  const [, letter = key] = /^Key([A-Z])$/.exec(code) ?? []
  return letter === key ? key : letter.toLowerCase()
}

const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform)

/** Returns whether the key of commands is held, and no other that changes them: ⌘ on a Mac, where Ctrl edits, else Ctrl. */
export const isCommand = ({
  ctrlKey,
  metaKey,
  altKey,
}: Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey'>): boolean =>
  !altKey && (isMac() ? metaKey && !ctrlKey : ctrlKey && !metaKey)

/** Returns the label of keys as they are on this computer: a Mac has signs for those that are held. */
export const keysInWords = (keys: string): string =>
  isMac() ? keys.replace(/^(?:Ctrl|Strg) /, '⌘').replace(/(?<=^⌘)(?:Shift|Umschalt) /, '⇧') : keys

/** Calls `act` for a key pressed outside fields. If it returns false, the key keeps its default action. */
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

/** Returns whether keys belong to a field, an open dialog or a menu. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [role=dialog], [role=menu]') !== null
