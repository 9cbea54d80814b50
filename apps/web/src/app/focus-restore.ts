import { useEffect } from 'react'

/**
 * Moves the focus to the closest remaining ancestor when the focused element is removed, such as the button that
 * removes a row. When the whole page is replaced, that is the content of the next one, unless it has set the focus.
 */
export function useGlobalFocusRestore(): void {
  useEffect(() => {
    /** The last focused element and its ancestors. A busy button has already lost the focus. */
    let path: readonly HTMLElement[] = []
    let frame = 0
    const note = ({ target }: Event) => {
      path = target instanceof HTMLElement ? [...withAncestors(target)] : []
    }
    /** A click outside the element drops the focus on purpose. */
    const onPointer = ({ target }: Event) => {
      if (target instanceof Node && !path[0]?.contains(target)) path = []
    }
    const give = () => {
      const page = document.getElementById('content')
      // Elements that only measure text are invisible and take no focus.
      const place = path.find((one) => one.checkVisibility({ visibilityProperty: true }))
      if (!hasNoFocus() || !place || !page?.contains(place)) return
      focusOn(place)
    }
    const observer = new MutationObserver(() => {
      const [last] = path
      if (!last || last.isConnected || !hasNoFocus()) return
      cancelAnimationFrame(frame)
      // A closing dialog or panel moves the focus itself, and first.
      frame = requestAnimationFrame(give)
    })
    observer.observe(document.body, { childList: true, subtree: true })
    document.addEventListener('focusin', note)
    document.addEventListener('pointerdown', onPointer)
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
      document.removeEventListener('focusin', note)
      document.removeEventListener('pointerdown', onPointer)
    }
  }, [])
}

const hasNoFocus = () => document.activeElement === document.body

function* withAncestors(element: HTMLElement): Generator<HTMLElement> {
  for (let one: HTMLElement | null = element; one !== null; one = one.parentElement) yield one
}

function focusOn(element: HTMLElement): void {
  const isUsual = element.tabIndex >= 0 || element.hasAttribute('tabindex')
  if (!isUsual) {
    element.tabIndex = -1
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true })
  }
  element.focus({ preventScroll: true })
}
