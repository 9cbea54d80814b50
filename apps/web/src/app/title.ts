import { useEffect } from 'react'
import { texts } from '../texts'

/** Names the page in the tab, in the history and to screen readers. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${texts.product}`
    return () => {
      document.title = texts.product
    }
  }, [title])
}
