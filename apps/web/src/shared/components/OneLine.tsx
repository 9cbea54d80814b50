import type { ReactNode } from 'react'
import { classes } from './classes'
import styles from './OneLine.module.css'

interface OneLineProps {
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** Words of people in one line: in their own direction, and cut at their own end where there is no room. */
export const OneLine = ({ className, children }: OneLineProps) => (
  <bdi className={classes(styles.line, className)}>{children}</bdi>
)
