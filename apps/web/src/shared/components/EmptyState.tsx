import type { ReactNode } from 'react'
import { classes } from './classes'
import styles from './EmptyState.module.css'
import { Icon, type IconName } from './Icon'

interface EmptyStateProps {
  readonly icon: IconName
  readonly title: string
  /** A description of what will be here, and how it gets here. */
  readonly children?: ReactNode
  readonly action?: ReactNode
  /** Whether it is all that the page has to say. */
  readonly isPage?: boolean | undefined
}

/** Where nothing is yet: says what this place is for. */
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
