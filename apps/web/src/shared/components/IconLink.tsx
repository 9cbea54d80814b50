import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Icon, type IconName } from './Icon'
import styles from './IconLink.module.css'

interface IconLinkProps {
  readonly href: string
  readonly icon: IconName
  readonly label: string
  /** The same in a word, shown beside the icon where there is room. */
  readonly word?: string | undefined
  /** Something that lies over the icon, such as a count. */
  readonly children?: ReactNode
}

/** A way to another page that looks like an `IconButton`. */
export function IconLink({ href, icon, label, word, children }: IconLinkProps) {
  return (
    <Link href={href} className={styles.link} aria-label={label} title={label}>
      <Icon name={icon} />
      {/* With the space, what is seen reads as the label does. */}
      {word && <span className={styles.word}>{word} </span>}
      {children}
    </Link>
  )
}
