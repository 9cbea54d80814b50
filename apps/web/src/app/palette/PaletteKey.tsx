import { Suspense, useEffect } from 'react'
import { shortcutKeyOf } from '../../shared/browser/shortcut'
import { Cell, useCell } from '../../shared/cell'
import { lazyPreload } from '../../shared/session/lazy-preload'

/** Whether the palette is open. `PaletteButton` opens it, too. */
export const paletteShown = new Cell(false)

const Palette = lazyPreload(async () => (await import('./Palette')).Palette)

/** Opens the palette on Ctrl-K or ⌘K, also inside text fields. */
export function PaletteKey() {
  const isOpen = useCell(paletteShown)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isK = shortcutKeyOf(event).toLowerCase() === 'k'
      if (!isK || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      paletteShown.set(!paletteShown.value)
    }
    window.addEventListener('keydown', onKey)
    return () => {
      window.removeEventListener('keydown', onKey)
      // The next account starts with a closed palette.
      paletteShown.set(false)
    }
  }, [])
  if (!isOpen) return null
  return (
    <Suspense>
      <Palette onClose={() => paletteShown.set(false)} />
    </Suspense>
  )
}
