import { useLayoutEffect, useRef } from 'react'
import { Button } from '../components/Button'
import { texts } from '../texts'
import styles from './UndoBar.module.css'

interface UndoBarProps {
  /** How often something was marked as done that can still be taken back. */
  readonly count: number
  readonly onUndo: () => void
  /** Called when it goes away from under the keyboard. */
  readonly onGone: () => void
}

/** Says what was marked as done, for as long as it can be taken back. */
export function UndoBar({ count, onUndo, onGone }: UndoBarProps) {
  const { inbox } = texts
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
  const gone = useRef(onGone)
  gone.current = onGone
  useLayoutEffect(
    () => () => {
      if (button.current !== null && document.activeElement === button.current) queueMicrotask(gone.current)
    },
    [],
  )
  return (
    <Button ref={button} size="small" onClick={onUndo}>
      {texts.inbox.undo} <kbd>z</kbd>
    </Button>
  )
}
