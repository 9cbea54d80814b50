import { useCell } from '../../shared/cell'
import { Button } from '../../shared/components/Button'
import { classes } from '../../shared/components/classes'
import { connectivity } from '../../shared/session/connectivity'
import type { History } from './history'
import styles from './Notices.module.css'
import { representsEvent } from './row-events'
import type { Row } from './rows'
import { connectionTexts, historyTexts } from './texts'

interface NoticesProps {
  readonly history: History
  readonly rows: readonly Row[]
  readonly unreadAfter: string | null
  /** Moves the focus to the lines. */
  readonly onLeave: () => void
}

/** Notices over the history: the connection state, and a jump to the first unread event. */
export function Notices({ history, rows, unreadAfter, onLeave }: NoticesProps) {
  const { connection } = useCell(history.state)
  // Otherwise the shell says that the server is unreachable.
  const isReached = useCell(connectivity) === 'reached'
  // The first unread event is above the loaded run if neither it nor its predecessor is in it.
  const isUnreadAbove =
    unreadAfter !== null &&
    !rows.some((row) => ('isFirstUnread' in row && row.isFirstUnread) || representsEvent(row, unreadAfter))
  return (
    <div className={classes(styles.notices, !isReached && styles.lower)}>
      {connection === 'reconnecting' && isReached && (
        <p className={styles.notice} role="status">
          {connectionTexts.reconnecting}
        </p>
      )}
      {isUnreadAbove && (
        <Button
          size="small"
          icon="arrowUp"
          onClick={() => {
            onLeave()
            void history.toEvent(unreadAfter)
          }}
        >
          {historyTexts.toUnread}
        </Button>
      )}
    </div>
  )
}
