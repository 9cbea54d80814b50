import { Skeleton } from '../components/Skeleton'
import styles from './Loading.module.css'

/** In place of a page that is not there yet. */
export const Loading = () => (
  <div className={styles.loading}>
    <Skeleton rows={4} />
  </div>
)
