import { explain } from '../query/explain'
import { texts } from '../texts'
import { Button } from './Button'
import styles from './ErrorNote.module.css'
import { Icon } from './Icon'

interface ErrorNoteProps {
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
}

/** What went wrong, in words, and what can be done. Read out at once. */
export function ErrorNote({ error, onRetry }: ErrorNoteProps) {
  const { title, advice } = explain(error)
  return (
    <div className={styles.note} role="alert">
      <Icon name="warning" />
      <div className={styles.words}>
        <p className={styles.title}>{title}</p>
        {advice && <p>{advice}</p>}
      </div>
      {onRetry && (
        <Button size="small" icon="refresh" onClick={onRetry}>
          {texts.retry}
        </Button>
      )}
    </div>
  )
}
