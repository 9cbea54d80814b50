import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Calls `onGone` after an element that had the keyboard, or contained what had it, has gone away. */
export function useGoneFocus(element: RefObject<HTMLElement | null>, onGone: () => void): void {
  const gone = useRef(onGone)
  useLayoutEffect(() => {
    gone.current = onGone
  })
  useLayoutEffect(
    () => () => {
      // By now it is still there.
      if (element.current?.contains(document.activeElement)) queueMicrotask(() => gone.current())
    },
    [element],
  )
}
