import { useCallback } from 'react'
import { useShortcut } from '../../shared/browser/shortcut'
import { Cell, useCell } from '../../shared/cell'
import { Dialog } from '../../shared/components/Dialog'
import { texts } from '../../shared/texts'
import styles from './Shortcuts.module.css'

/** Whether the list of keys is shown: a menu opens it as well as a key. */
export const shortcutsShown = new Cell(false)

/** The list of keys, which the key `?` opens. */
export function Shortcuts() {
  const isOpen = useCell(shortcutsShown)
  useShortcut(
    '?',
    useCallback(() => shortcutsShown.set(true), []),
  )
  return (
    <Dialog isOpen={isOpen} onClose={() => shortcutsShown.set(false)} title={texts.shortcuts.title}>
      <dl className={styles.keys}>
        {texts.shortcuts.rows.map(([key, words]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
