import type { ReactNode } from 'react'
import styles from './Badge.module.css'
import { classes } from './classes'

export type Tone = 'plain' | 'accent' | 'good' | 'warn' | 'bad' | 'human' | 'agent'

/** A short status or count. */
export function Badge({ tone = 'plain', title, children }: { tone?: Tone; title?: string; children: ReactNode }) {
  return (
    <span className={classes(styles.badge, styles[tone])} title={title}>
      {children}
    </span>
  )
}

/** A number of unread or pending items; nothing for none. */
export function Count({ count, title }: { readonly count: number; readonly title: string }) {
  if (count === 0) return null
  return (
    <span className={styles.count} title={title}>
      {count > 99 ? '99+' : count}
    </span>
  )
}
