import type { ReactNode } from 'react'
import { classes } from './classes'
import styles from './EmptyState.module.css'
import { Icon, type IconName } from './Icon'

interface EmptyStateProps {
  readonly icon: IconName
  readonly title: string
  /** What will be listed here, and how to add it. */
  readonly children?: ReactNode
  readonly action?: ReactNode
  /** Whether it is the only content of the page. */
  readonly isPage?: boolean | undefined
}

/** Fills an empty list or page, and says what it is for. */
export function EmptyState({ icon, title, children, action, isPage }: EmptyStateProps) {
  const Title = isPage ? 'h1' : 'h2'
  return (
    <div className={classes(styles.empty, isPage && styles.page)}>
      <span className={styles.icon}>
        <Icon name={icon} size={24} />
      </span>
      <Title className={styles.title}>{title}</Title>
      {children && <p className={styles.words}>{children}</p>}
      {action}
    </div>
  )
}
