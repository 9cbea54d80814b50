import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { spacePath } from '../navigation/paths'
import { classes } from './classes'
import styles from './Text.module.css'

interface OneLineProps {
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** User text in one line, in its own direction, truncated at its end. */
export const OneLine = ({ className, children }: OneLineProps) => (
  <bdi className={classes(styles.line, className)}>{children}</bdi>
)

/** Text for screen readers only. */
export const VisuallyHidden = ({ children }: { readonly children: ReactNode }) => (
  <span className={styles.hidden}>{children}</span>
)

interface UserLinkProps {
  readonly href: string
  /** Whether paper adds the address, which the content does not contain. */
  readonly isPrinted?: boolean
  readonly children: ReactNode
}

/** A link of a user: to a space in this tab, as another would not be signed in; or external, without a referrer. */
export function UserLink({ href, isPrinted, children }: UserLinkProps) {
  const { origin } = window.location
  const printed = { 'data-printed': isPrinted ? ` (${href})` : undefined, children }
  if (href.startsWith(origin + spacePath(''))) return <Link href={href.slice(origin.length)} {...printed} />
  return <a href={href} target="_blank" rel="noopener noreferrer nofollow" {...printed} />
}
