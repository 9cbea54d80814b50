import { useRef } from 'react'
import { Button } from '../../shared/components/Button'
import { inboxTexts } from './texts'
import styles from './UndoBar.module.css'
import { useFocusRestore } from './useFocusRestore'

interface UndoBarProps {
  /** The number of marks that can be undone. */
  readonly count: number
  readonly onUndo: () => void
  /** Called when it unmounts with the focus. */
  readonly onGone: () => void
}

/** Shows how many entries were marked as done while that can be undone. */
export function UndoBar({ count, onUndo, onGone }: UndoBarProps) {
  const inbox = inboxTexts
  return (
    <div className={styles.place} role="status">
      {count > 0 && (
        <p className={styles.bar}>
          {inbox.marked(count)} <Undo onUndo={onUndo} onGone={onGone} />
        </p>
      )}
    </div>
  )
}

function Undo({ onUndo, onGone }: Omit<UndoBarProps, 'count'>) {
  const button = useRef<HTMLButtonElement>(null)
  useFocusRestore(button, onGone)
  return (
    <Button ref={button} size="small" onClick={onUndo}>
      {inboxTexts.undo} <kbd>z</kbd>
    </Button>
  )
}
