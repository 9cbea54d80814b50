import { useRef } from 'react'
import { Button } from '../../shared/components/Button'
import { inboxTexts } from './texts'
import styles from './UndoBar.module.css'
import { useFocusRestore } from './useFocusRestore'

interface UndoBarProps {
  /** The number of marks that can be undone. */
  readonly count: number
  readonly onUndo: () => void
  /** Called when the focused undo button unmounts. */
  readonly onFocusLost: () => void
}

/** Shows the number of marks and a button, while they can be undone. */
export function UndoBar({ count, onUndo, onFocusLost }: UndoBarProps) {
  const inbox = inboxTexts
  return (
    <div className={styles.place} role="status">
      {count > 0 && (
        <p className={styles.bar}>
          {inbox.marked(count)} <Undo onUndo={onUndo} onFocusLost={onFocusLost} />
        </p>
      )}
    </div>
  )
}

function Undo({ onUndo, onFocusLost }: Omit<UndoBarProps, 'count'>) {
  const button = useRef<HTMLButtonElement>(null)
  useFocusRestore(button, onFocusLost)
  return (
    <Button ref={button} size="small" onClick={onUndo}>
      {inboxTexts.undo} <kbd>z</kbd>
    </Button>
  )
}
