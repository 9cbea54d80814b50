import { useRoute } from 'wouter'
import { connectionTexts } from '../features/history/texts'
import { useCell } from '../shared/cell'
import { connectivity } from '../shared/session/connectivity'
import styles from './Unreachable.module.css'

/** Shows that the network or the server is unreachable while calls are retried. */
export function Unreachable() {
  const now = useCell(connectivity)
  const [isSpace] = useRoute('/s/*')
  return (
    <div className={styles.place} role="status" data-below-bar={isSpace || undefined}>
      {now !== 'reached' && <p className={styles.note}>{connectionTexts[now]}</p>}
    </div>
  )
}
