import type { ReactNode } from 'react'
import styles from './Badge.module.css'
import { classes } from './classes'
import { VisuallyHidden } from './Text'

export type Tone = 'plain' | 'accent' | 'good' | 'warn' | 'bad' | 'human' | 'agent'

/** A short status or count. */
export function Badge({ tone = 'plain', title, children }: { tone?: Tone; title?: string; children: ReactNode }) {
  return (
    <span className={classes(styles.badge, styles[tone])} title={title}>
      {children}
    </span>
  )
}

interface CountProps {
  readonly count: number
  /** The count with its meaning, as screen readers read it. */
  readonly title: string
  /** Without a fill: for what addresses no one in particular. */
  readonly isQuiet?: boolean
}

/** A number of unread or pending items; nothing for none. */
export function Count({ count, title, isQuiet = false }: CountProps) {
  if (count === 0) return null
  return (
    <>
      <span className={classes(styles.count, isQuiet && styles.quiet)} title={title} aria-hidden="true">
        {count > 99 ? '99+' : count}
      </span>
      <VisuallyHidden>{title}</VisuallyHidden>
    </>
  )
}
