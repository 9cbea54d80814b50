import { explain, hasStatus } from '../explain'
import { texts } from '../texts'
import { Button } from './Button'
import styles from './ErrorNote.module.css'
import { Icon } from './Icon'

interface ErrorNoteProps {
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
  /** The words on the button, if it does not try the same again. */
  readonly retry?: string | undefined
}

/** An error in words, with advice. Read out at once. */
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

/** A right that is missing now will be missing a moment later. */
const isRefusal = (error: unknown) => hasStatus(error, 403)
