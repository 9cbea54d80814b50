import { useCell } from '../cell'
import { isUnreachable } from '../query/reach'
import { texts } from '../texts'
import styles from './Unreachable.module.css'

/** Says that the server does not answer, while calls are being repeated and nothing else would tell. */
export function Unreachable() {
  return (
    <div className={styles.place} role="status">
      {useCell(isUnreachable) && <p className={styles.note}>{texts.connection.unreachable}</p>}
    </div>
  )
}
