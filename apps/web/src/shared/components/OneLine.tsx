import type { ReactNode } from 'react'
import { classes } from './classes'
import styles from './OneLine.module.css'

interface OneLineProps {
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** User text in one line, in its own direction, truncated at its end. */
export const OneLine = ({ className, children }: OneLineProps) => (
  <bdi className={classes(styles.line, className)}>{children}</bdi>
)
