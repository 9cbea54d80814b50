import { useCallback } from 'react'
import { keysInWords, useShortcut } from '../../shared/browser/shortcut'
import { Cell, useCell } from '../../shared/cell'
import { Dialog } from '../../shared/components/Dialog'
import styles from './Shortcuts.module.css'
import { shortcutsTexts } from './texts'

/** Whether the list of shortcuts is open. The account menu and the palette open it, too. */
export const shortcutsShown = new Cell(false)

/** The list of shortcuts, which `?` opens. */
export function Shortcuts() {
  const isOpen = useCell(shortcutsShown)
  useShortcut(
    '?',
    useCallback(() => shortcutsShown.set(true), []),
  )
  return (
    <Dialog isOpen={isOpen} onClose={() => shortcutsShown.set(false)} title={shortcutsTexts.title} isLarge>
      <div className={styles.groups}>
        {shortcutsTexts.groups.map(({ title, rows }) => (
          <section key={title} className={styles.group}>
            <h3>{title}</h3>
            <dl className={styles.keys}>
              {rows.map(([keys, words]) => (
                <div key={words}>
                  <dt>
                    <kbd>{keysInWords(keys)}</kbd>
                  </dt>
                  <dd>{words}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
