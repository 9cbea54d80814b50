import { useRoute } from 'wouter'
import { connectionTexts } from '../features/history/texts'
import { useCell } from '../shared/cell'
import { connectivity } from '../shared/session/connectivity'
import styles from './Unreachable.module.css'

/** Says that there is no network, or that the server does not answer, while calls are being repeated. */
export function Unreachable() {
  const now = useCell(connectivity)
  const [isSpace] = useRoute('/s/*')
  return (
    <div className={styles.place} role="status" data-below-bar={isSpace || undefined}>
      {now !== 'reached' && <p className={styles.note}>{connectionTexts[now]}</p>}
    </div>
  )
}
