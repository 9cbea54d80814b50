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
