import { type Event, shownTime } from '@collab-spaces/client'
import { memo } from 'react'
import { list } from '../../languages/format'
import { Badge } from '../../shared/components/Badge'
import { classes } from '../../shared/components/classes'
import { Icon } from '../../shared/components/Icon'
import { Poster, PosterAvatar } from '../../shared/components/Poster'
import { Time } from '../../shared/components/Time'
import { excerptOf } from '../../shared/markdown/excerpt'
import { posterInWords } from '../../shared/poster'
import type { Names } from '../../shared/query/names'
import { texts } from '../../shared/texts'
import { clockTime } from '../../shared/time'
import type { EventActions } from './EventItem'
import styles from './EventItem.module.css'
import { Line } from './Line'
import { ParentQuote } from './ParentQuote'
import type { ThreadRow } from './rows'
import own from './ThreadItem.module.css'
import { threadTexts } from './texts'

interface ThreadItemProps {
  readonly row: ThreadRow
  readonly names: Names
  readonly actions: EventActions
  readonly isSelected: boolean
  /** The reply that a link led to. */
  readonly targetId: string | null
}

/** The number of newest replies shown, and of avatars. */
const MAX_REPLIES = 2
const MAX_AVATARS = 5

/** A thread as one line of the history: its newest replies, their number and its posters. */
export const ThreadItem = memo(function ThreadItem({ row, names, actions, isSelected, targetId }: ThreadItemProps) {
  const { events, unread, total, isWhole, continuesLater } = row
  const [first] = events
  const last = events.at(-1)
  if (!first || !last) return null
  const thread = threadTexts
  const shown = shownOf(row, targetId)
  const open = () => actions.openThread(last)
  return (
    <Line
      row={row}
      at={shownTime(first)}
      className={classes(targetId !== null && styles.target)}
      aria-label={thread.row(posterInWords(last), clockTime(shownTime(last)))}
      tabIndex={isSelected ? 0 : -1}
    >
      <div className={classes(styles.gutter, own.sign)}>
        <Icon name="thread" />
      </div>
      <div className={styles.body}>
        {first.parent_event_id !== null && (
          <ParentQuote spaceId={first.space_id} eventId={first.parent_event_id} names={names} onGo={actions.goTo} />
        )}
        {shown.map((event) => (
          <Reply key={event.event_id} event={event} names={names} isTarget={event.event_id === targetId} />
        ))}
        <div className={own.foot}>
          <Faces events={events} />
          <button type="button" className={styles.replies} data-reach onClick={open}>
            {continuesLater ? thread.continuesLater(events.length) : thread.open(total, isWhole)}
          </button>
          {unread > 0 && <Badge tone="accent">{texts.counts.unread(unread)}</Badge>}
        </div>
      </div>
    </Line>
  )
})

/** Returns the newest replies and the target. If the thread continues in a later row, only the target. */
function shownOf({ events, continuesLater }: ThreadRow, targetId: string | null): readonly Event[] {
  const newest = continuesLater ? [] : events.slice(-MAX_REPLIES)
  const target = events.find(({ event_id }) => event_id === targetId)
  return target && !newest.includes(target) ? [target, ...newest] : newest
}

interface ReplyProps extends Pick<ThreadItemProps, 'names'> {
  readonly event: Event
  readonly isTarget: boolean
}

function Reply({ event, names, isTarget }: ReplyProps) {
  return (
    <div className={own.reply}>
      <PosterAvatar of={event} size="tiny" />
      <p className={classes(own.words, isTarget && own.whole)} dir="auto">
        <bdi>
          <Poster of={event} isInLine />
        </bdi>{' '}
        {excerptOf(event, names)}
      </p>
      <small className={styles.time}>
        <Time at={shownTime(event)} form="clock" />
      </small>
    </div>
  )
}

function Faces({ events }: { readonly events: readonly Event[] }) {
  const people = [...new Map(events.map((event) => [event.posted_by, event])).values()]
  return (
    <span className={own.faces} title={list(people.map(({ posted_by_name }) => posted_by_name))}>
      {people.slice(-MAX_AVATARS).map((event) => (
        <PosterAvatar key={event.posted_by} of={event} size="tiny" />
      ))}
      {people.length > MAX_AVATARS && <small>+{people.length - MAX_AVATARS}</small>}
    </span>
  )
}
