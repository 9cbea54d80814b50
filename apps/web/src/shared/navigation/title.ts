import { useEffect } from 'react'
import { texts } from '../texts'

/** The title of the tab: the page, and before that how much waits. */
const shown = { title: texts.product, waiting: 0 }

function show(change: Partial<typeof shown>): void {
  const { title, waiting } = Object.assign(shown, change)
  document.title = waiting > 0 ? `(${waiting}) ${title}` : title
}

/** Names the page in the tab, in the history and to screen readers. */
export function useTitle(title: string): void {
  useEffect(() => {
    show({ title: `${title} · ${texts.product}` })
    return () => show({ title: texts.product })
  }, [title])
}

/** Tells in the tab how much waits, so that it can be seen from another one. */
export function useWaitingInTitle(waiting: number): void {
  useEffect(() => {
    show({ waiting })
    return () => show({ waiting: 0 })
  }, [waiting])
}
