import { useCallback } from 'react'
import { useSearchParams } from 'wouter'
import { useShortcut } from '../../shared/browser/shortcut'

/** A panel or a thread. */
type PanelOrThread = { readonly panel: string } | { readonly thread: string }

/** Returns the panel or thread that is open next to the history, which the query string names. */
export function usePanel() {
  const [search, setSearch] = useSearchParams()
  const panelId = search.get('panel')
  const threadOf = search.get('thread')
  const open = useCallback(
    (what: PanelOrThread | null) =>
      setSearch((before) => {
        const after = new URLSearchParams(before)
        after.delete('panel')
        after.delete('thread')
        for (const [name, value] of Object.entries(what ?? {})) after.set(name, value)
        return after
      }),
    [setSearch],
  )
  const close = useCallback(() => open(null), [open])
  const isPanelOpen = panelId !== null || threadOf !== null
  useShortcut(
    'Escape',
    useCallback(() => isPanelOpen && close(), [isPanelOpen, close]),
  )
  return { panelId, threadOf, open, close }
}
