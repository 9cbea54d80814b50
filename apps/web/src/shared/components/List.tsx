import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon'
import styles from './List.module.css'

/** Rows in a frame. */
export function List({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ul className={styles.list} aria-label={label}>
      {children}
    </ul>
  )
}

interface ListRowProps {
  /** An icon, or a face. */
  readonly icon: IconName | ReactNode
  readonly title: ReactNode
  readonly actions?: ReactNode
  readonly children?: ReactNode
}

/** Something with a name, what is to be known about it, and what can be done with it. */
export function ListRow({ icon, title, actions, children }: ListRowProps) {
  return (
    <li className={styles.row}>
      {typeof icon === 'string' ? (
        <span className={styles.icon}>
          <Icon name={icon as IconName} />
        </span>
      ) : (
        icon
      )}
      <div className={styles.words}>
        <div className={styles.title}>{title}</div>
        {children && <div className={styles.facts}>{children}</div>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </li>
  )
}
