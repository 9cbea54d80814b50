import { useCell } from '../shared/cell'
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
        </p>
      )}
    </div>
  )
}
