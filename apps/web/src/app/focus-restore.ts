import { useEffect } from 'react'

/**
 * An element that goes away with the focus, such as the button that removes a row, leaves it to the element around it.
 * Where a whole page goes, that is the content of the next page, where nothing has the focus yet.
 */
export function useKeptKeyboard(): void {
  useEffect(() => {
    /** The last element with the focus, and its ancestors. A button that waits for an answer has lost it already. */
    let path: readonly HTMLElement[] = []
    let frame = 0
    const note = ({ target }: Event) => {
      path = target instanceof HTMLElement ? [...withAncestors(target)] : []
    }
    /** A click outside of the element gives the focus up on purpose. */
    const onPointer = ({ target }: Event) => {
      if (target instanceof Node && !path[0]?.contains(target)) path = []
    }
    const give = () => {
      const page = document.getElementById('content')
      // An element that only measures its lines is not visible itself, and takes no focus.
      const place = path.find((one) => one.checkVisibility({ visibilityProperty: true }))
      if (!isNowhere() || !place || !page?.contains(place)) return
      giveTo(place)
    }
    const observer = new MutationObserver(() => {
      const [last] = path
      if (!last || last.isConnected || !isNowhere()) return
      cancelAnimationFrame(frame)
      // A dialog or a panel that closes knows better where the focus goes.
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

const isNowhere = () => document.activeElement === document.body

function* withAncestors(element: HTMLElement): Generator<HTMLElement> {
  for (let one: HTMLElement | null = element; one !== null; one = one.parentElement) yield one
}

function giveTo(element: HTMLElement): void {
  const isUsual = element.tabIndex >= 0 || element.hasAttribute('tabindex')
  if (!isUsual) {
    element.tabIndex = -1
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true })
  }
  element.focus({ preventScroll: true })
}
