import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Calls `onGone` after an element that had the keyboard has gone away. */
export function useGoneFocus(element: RefObject<HTMLElement | null>, onGone: () => void): void {
  const gone = useRef(onGone)
  useLayoutEffect(() => {
    gone.current = onGone
  })
  useLayoutEffect(
    () => () => {
      // By now it is still there.
      if (element.current !== null && document.activeElement === element.current) queueMicrotask(() => gone.current())
    },
    [element],
  )
}
