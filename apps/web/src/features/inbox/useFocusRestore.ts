import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Calls `onGone` when an element that contains the focus unmounts. */
export function useFocusRestore(element: RefObject<HTMLElement | null>, onGone: () => void): void {
  const gone = useRef(onGone)
  useLayoutEffect(() => {
    gone.current = onGone
  })
  useLayoutEffect(
    () => () => {
      // The element is still mounted here.
      if (element.current?.contains(document.activeElement)) queueMicrotask(() => gone.current())
    },
    [element],
  )
}
