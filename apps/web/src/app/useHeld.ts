import { type FocusEvent, type PointerEvent, useState } from 'react'

/**
 * Keeps an order from before while a list is in use: under a pointer, with the keyboard's focus, or in the open
 * navigation of a phone. So no entry moves from under it. Returns null while it is not in use.
 */
export function useHeld<T>(current: T, isOpen: boolean) {
  const [isPointedAt, setIsPointedAt] = useState(false)
  const [hasFocus, setHasFocus] = useState(false)
  const [held, setHeld] = useState<T | null>(null)
  const isInUse = isPointedAt || hasFocus || isOpen
  if (isInUse !== (held !== null)) setHeld(isInUse ? current : null)
  const handlers = {
    // A touch ends without a pointer that stays.
    onPointerEnter: ({ pointerType }: PointerEvent) => setIsPointedAt(pointerType !== 'touch'),
    onPointerLeave: () => setIsPointedAt(false),
    // A clicked entry keeps the focus, but not the keyboard's.
    onFocus: ({ target }: FocusEvent) => setHasFocus(target.matches(':focus-visible')),
    onBlur: () => setHasFocus(false),
  }
  return [held, handlers] as const
}
