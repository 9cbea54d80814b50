import { explain, hasStatus } from '../explain'
import { texts } from '../texts'
import { Button } from './Button'
import styles from './ErrorNote.module.css'
import { Icon } from './Icon'

interface ErrorNoteProps {
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
  /** The label of the button, if it is no plain retry. */
  readonly retry?: string | undefined
}

/** An error message with advice. Screen readers announce it. */
export function ErrorNote({ error, onRetry, retry }: ErrorNoteProps) {
  const { title, advice } = explain(error)
  return (
    <div className={styles.note} role="alert">
      <Icon name="warning" />
      <div className={styles.words}>
        <p className={styles.title}>{title}</p>
        {advice && <p>{advice}</p>}
      </div>
      {onRetry && !isRefusal(error) && (
        <Button size="small" icon={retry === undefined ? 'refresh' : undefined} onClick={onRetry}>
          {retry ?? texts.retry}
        </Button>
      )}
    </div>
  )
}

/** A retry cannot fix a missing permission. */
const isRefusal = (error: unknown) => hasStatus(error, 403)
