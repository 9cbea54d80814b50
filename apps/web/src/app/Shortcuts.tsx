import { useCallback } from 'react'
import { Cell, useCell } from '../cell'
import { Dialog } from '../components/Dialog'
import { texts } from '../texts'
import styles from './Shortcuts.module.css'
import { useShortcut } from './shortcut'

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
