import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Calls `onFocusLost` when an element that contains the focus unmounts. */
export function useFocusRestore(element: RefObject<HTMLElement | null>, onFocusLost: () => void): void {
  const gone = useRef(onFocusLost)
  useLayoutEffect(() => {
    gone.current = onFocusLost
  })
  useLayoutEffect(
    () => () => {
      // The element is still mounted here.
      if (element.current?.contains(document.activeElement)) queueMicrotask(() => gone.current())
    },
    [element],
  )
}
