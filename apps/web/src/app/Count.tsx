import styles from './Count.module.css'

/** A number of unread or pending items; nothing for none. */
export function Count({ count, title }: { readonly count: number; readonly title: string }) {
  if (count === 0) return null
  return (
    <span className={styles.count} title={title}>
      {count > 99 ? '99+' : count}
    </span>
  )
}
