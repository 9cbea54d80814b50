import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Icon, type IconName } from './Icon'
import styles from './IconLink.module.css'

interface IconLinkProps {
  readonly href: string
  readonly icon: IconName
  readonly label: string
  /** A short label, shown next to the icon where there is room. */
  readonly word?: string | undefined
  /** Content over the icon, such as a count. */
  readonly children?: ReactNode
}

/** A link that looks like an `IconButton`. */
export function IconLink({ href, icon, label, word, children }: IconLinkProps) {
  return (
    <Link href={href} className={styles.link} aria-label={label} title={label} data-unprinted>
      <Icon name={icon} />
      {/* The trailing space makes the visible text match the label. */}
      {word && <span className={styles.word}>{word} </span>}
      {children}
    </Link>
  )
}
