import { texts } from '../texts'
import styles from './Skeleton.module.css'

/** A placeholder for rows that load, to avoid a layout shift. */
export function Skeleton({ rows = 3 }: { readonly rows?: number }) {
  return (
    <div className={styles.rows} data-skeleton role="status" aria-label={texts.loading}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
        <div className={styles.row} key={row}>
          <span className={styles.dot} />
          <span className={styles.line} />
        </div>
      ))}
    </div>
  )
}
