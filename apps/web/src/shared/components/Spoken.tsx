import type { ReactNode } from 'react'
import styles from './Spoken.module.css'

/** Words for screen readers alone, where a picture says the same to the eye. */
export const Spoken = ({ children }: { readonly children: ReactNode }) => (
  <span className={styles.spoken}>{children}</span>
)
