import type { ReactNode } from 'react'
import styles from './Fact.module.css'

/** A description list: one column, or as many as fit on a card. */
export const Facts = ({ isCard = false, children }: { readonly isCard?: boolean; readonly children: ReactNode }) => (
  <dl className={isCard ? styles.card : styles.list}>{children}</dl>
)

export const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt className={styles.name}>{name}</dt>
    <dd className={styles.value}>{children}</dd>
  </div>
)
