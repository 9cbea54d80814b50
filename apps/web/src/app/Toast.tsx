import { inboxTexts } from '../features/inbox/texts'
import { useCell } from '../shared/cell'
import { Button } from '../shared/components/Button'
import { Icon } from '../shared/components/Icon'
import { shownToast } from '../shared/toast'
import styles from './Toast.module.css'

export function Toast() {
  const note = useCell(shownToast)
  return (
    <div className={styles.place} role="status" data-unprinted>
      {note && (
        <p className={styles.note} data-tone={note.tone}>
          <Icon name={note.tone === 'good' ? 'check' : 'warning'} size={16} /> {note.text}
          {note.undo && (
            <Button size="small" onClick={note.undo}>
              {inboxTexts.undo}
            </Button>
          )}
        </p>
      )}
    </div>
  )
}
