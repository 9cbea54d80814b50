import { useEffect } from 'react'

/** How an address changes: the router makes events of the first two. */
const MOVES = ['pushState', 'replaceState', 'popstate']

/** Calls `act` when somebody follows a link to where the page is already, which the router does not tell. */
export function useSameAddress(act: () => void): void {
  useEffect(() => {
    let last = window.location.href
    const onMove = ({ type }: Event) => {
      const { href } = window.location
      if (type === 'pushState' && href === last) act()
      last = href
    }
    for (const move of MOVES) window.addEventListener(move, onMove)
    return () => {
      for (const move of MOVES) window.removeEventListener(move, onMove)
    }
  }, [act])
}
