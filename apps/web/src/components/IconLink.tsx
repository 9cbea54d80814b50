import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Icon, type IconName } from './Icon'
import styles from './IconLink.module.css'

interface IconLinkProps {
  readonly href: string
  readonly icon: IconName
  readonly label: string
  /** What lies over the icon, such as a count. */
  readonly children?: ReactNode
}

/** A way to another page that looks like an `IconButton`. */
export function IconLink({ href, icon, label, children }: IconLinkProps) {
  return (
    <Link href={href} className={styles.link} aria-label={label} title={label}>
      <Icon name={icon} />
      {children}
    </Link>
  )
}
