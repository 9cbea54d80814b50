import { useEffect } from 'react'
import { texts } from '../texts'

/** The title of the tab: the number of unread entries that address the account, and the page. */
const shown = { title: texts.product, waiting: 0 }

function show(change: Partial<typeof shown>): void {
  const { title, waiting } = Object.assign(shown, change)
  document.title = waiting > 0 ? `(${waiting}) ${title}` : title
}

/** Sets the title of the page. */
export function useTitle(title: string): void {
  useEffect(() => {
    show({ title: `${title} · ${texts.product}` })
    return () => show({ title: texts.product })
  }, [title])
}

/** The icons of the tab, without and with a dot. */
const FAVICONS = ['/favicon.svg', '/favicon-dot.svg'] as const

/** Shows a number in the title, a dot on the icon of the tab, and a badge on an installed page. */
export function useWaitingInTitle(waiting: number): void {
  useEffect(() => {
    showWaiting(waiting)
    return () => showWaiting(0)
  }, [waiting])
}

function showWaiting(waiting: number): void {
  show({ waiting })
  document.querySelector('link[rel="icon"]')?.setAttribute('href', FAVICONS[waiting > 0 ? 1 : 0])
  // Refused where the page is not installed.
  navigator.setAppBadge?.(waiting).catch(() => {})
}
