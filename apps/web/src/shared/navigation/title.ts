import { useEffect } from 'react'
import { texts } from '../texts'

/** The title of the tab: the number of pending inbox entries and the page. */
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

/** Shows the number of pending inbox entries in the title. */
export function useWaitingInTitle(waiting: number): void {
  useEffect(() => {
    show({ waiting })
    return () => show({ waiting: 0 })
  }, [waiting])
}
