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

/** An external link that sends no referrer. */
export function ExternalLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}
