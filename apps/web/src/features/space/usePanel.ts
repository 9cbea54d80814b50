import { useCallback } from 'react'
import { useSearchParams } from 'wouter'
import { usePanelsCover } from '../../shared/browser/media'
import { useShortcut } from '../../shared/browser/shortcut'
import { useCell } from '../../shared/cell'
import { navigationShown } from '../../shared/components/PageBar'
import { PANELS } from './panels'

/** A panel or a thread. */
type PanelOrThread = { readonly panel: string } | { readonly thread: string }

/** Returns the panel or thread that the query string names, and whether it or the navigation covers the history. */
export function usePanel() {
  const [search, setSearch] = useSearchParams()
  const panelId = search.get('panel')
  const panel = PANELS.find(({ id }) => id === panelId)
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
  const isBehindPanel = usePanelsCover() && (panel !== undefined || threadOf !== null)
  return { panel, threadOf, isCovered: useCell(navigationShown) || isBehindPanel, open, close }
}
