import { Suspense, useEffect } from 'react'
import { shortcutKeyOf } from '../../shared/browser/shortcut'
import { Cell, useCell } from '../../shared/cell'
import { later } from '../../shared/lazy-preload'

/** Whether the palette is open: a button opens it as well as a key. */
export const paletteShown = new Cell(false)

const Palette = later(async () => (await import('./Palette')).Palette)

/** Opens the palette at Ctrl-K or ⌘K, also while something is being typed. */
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
      // An account that comes in after this one has not opened it.
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
