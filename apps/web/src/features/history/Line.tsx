import { type ComponentProps, createContext, useContext } from 'react'
import { classes } from '../../shared/components/classes'
import { DayTitle } from '../../shared/components/Time'
import { texts } from '../../shared/texts'
import styles from './EventItem.module.css'

/** The number of unread events when this visit began. */
export const UnreadCount = createContext(0)

/** The mark before the first unread event. */
export function UnreadLine() {
  return (
    <div className={styles.unread}>
      <span>{texts.counts.unread(useContext(UnreadCount))}</span>
    </div>
  )
}

interface LineProps extends ComponentProps<'article'> {
  readonly row: { readonly key: string; readonly startsDay: boolean; readonly isFirstUnread?: boolean }
  /** The time of its first event. */
  readonly at: string
}

/** A line of the history, below the day title or unread mark that precedes it. */
export function Line({ row: { key, startsDay, isFirstUnread }, at, className, ...rest }: LineProps) {
  return (
    <>
      {startsDay && (
        <div className={styles.day}>
          <DayTitle at={at} />
        </div>
      )}
      {isFirstUnread && <UnreadLine />}
      <article id={`event-${key}`} className={classes(styles.event, className)} {...rest} />
    </>
  )
}
