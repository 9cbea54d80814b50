import type { ReactNode } from 'react'
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

interface ExternalLinkProps {
  readonly href: string
  /** Whether paper adds the address, which the content does not contain. */
  readonly isPrinted?: boolean
  readonly children: ReactNode
}

/** An external link that sends no referrer. */
export function ExternalLink({ href, isPrinted, children }: ExternalLinkProps) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      data-printed={isPrinted ? ` (${href})` : undefined}
    >
      {children}
    </a>
  )
}
