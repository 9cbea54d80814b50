import { createContext, useContext } from 'react'
import styles from './EventItem.module.css'
import { historyTexts } from './texts'

/** The number of unread events when this visit began. */
export const UnreadCount = createContext(0)

/** The mark before the first unread event. */
export function UnreadLine() {
  return (
    <div className={styles.unread}>
      <span>{historyTexts.unreadFrom(useContext(UnreadCount))}</span>
    </div>
  )
}
