import type { ReactNode } from 'react'
import styles from './Spoken.module.css'

/** Text for screen readers only. */
export const Spoken = ({ children }: { readonly children: ReactNode }) => (
  <span className={styles.spoken}>{children}</span>
)
