import { complain } from '../app/Toast'
import { Button } from '../components/Button'
import { Icon } from '../components/Icon'
import { useChangeSpace } from '../query/space'
import { texts } from '../texts'
import styles from './ClosedNote.module.css'

interface ClosedNoteProps {
  readonly spaceId: string
  readonly status: 'paused' | 'archived'
}

/** In place of the composer, where nothing can be written. */
export function ClosedNote({ spaceId, status }: ClosedNoteProps) {
  const change = useChangeSpace(spaceId)
  return (
    <div className={styles.note}>
      <Icon name={status === 'paused' ? 'pause' : 'archive'} />
      <p>{texts.space[status]}</p>
      {status === 'paused' && (
        <Button
          size="small"
          isBusy={change.isPending}
          onClick={() => change.mutate({ status: 'active' }, { onError: complain })}
        >
          {texts.space.activate}
        </Button>
      )}
    </div>
  )
}
