import { useEffect } from 'react'

/** The navigation events. The router dispatches the first two. */
const NAVIGATION_EVENTS = ['pushState', 'replaceState', 'popstate']

/** Calls `act` when a link to the current address is followed, which the router does not report. */
export function useSameUrlNavigation(act: () => void): void {
  useEffect(() => {
    let last = window.location.href
    const onMove = ({ type }: Event) => {
      const { href } = window.location
      if (type === 'pushState' && href === last) act()
      last = href
    }
    for (const move of NAVIGATION_EVENTS) window.addEventListener(move, onMove)
    return () => {
      for (const move of NAVIGATION_EVENTS) window.removeEventListener(move, onMove)
    }
  }, [act])
}
