import { createContext, useContext } from 'react'
import styles from './EventItem.module.css'
import { historyTexts } from './texts'

/** How many events were unread when this visit to a history began. */
export const UnreadCount = createContext(0)

/** Stands before the first unread event. */
export function UnreadLine() {
  return (
    <div className={styles.unread}>
      <span>{historyTexts.unreadFrom(useContext(UnreadCount))}</span>
    </div>
  )
}
