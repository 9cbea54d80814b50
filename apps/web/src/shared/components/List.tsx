import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon'
import styles from './List.module.css'

/** A framed list of rows. */
export function List({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ul className={styles.list} aria-label={label}>
      {children}
    </ul>
  )
}

interface ListRowProps {
  /** An icon or avatar. */
  readonly icon: IconName | ReactNode
  readonly title: ReactNode
  readonly actions?: ReactNode
  readonly children?: ReactNode
}

/** A row with a title, details and actions. */
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
