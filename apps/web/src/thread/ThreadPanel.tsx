import type { Event } from '@collab-spaces/client'
import { useEffect, useRef, useState } from 'react'
import { useCell } from '../cell'
import { EmptyState } from '../components/EmptyState'
import { ErrorNote } from '../components/ErrorNote'
import { Panel } from '../components/Panel'
import { Skeleton } from '../components/Skeleton'
import { Composer } from '../composer/Composer'
import type { Outbox } from '../composer/outbox'
import { EventItem } from '../history/EventItem'
import type { EventActions } from '../history/event-actions'
import { OutgoingItem } from '../history/OutgoingItem'
import type { People } from '../history/people'
import { type EventRow, unarrived } from '../history/rows'
import { useEvent, useThread } from '../query/thread'
import { useSession } from '../session/session'
import { texts } from '../texts'
import { HAS_KEYBOARD } from './keyboard'
import { StartThread } from './StartThread'
import styles from './ThreadPanel.module.css'

interface ThreadPanelProps {
  readonly spaceId: string
  /** Of the thread, or of the event that it is about. */
  readonly eventId: string
  readonly outbox: Outbox
  readonly people: People
  readonly actions: EventActions
  /** Whether the space takes messages. */
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** The conversation about one event. */
export function ThreadPanel(props: ThreadPanelProps) {
  const { spaceId, eventId, outbox, people, actions, isOpen, onClose } = props
  const { data, error, refetch } = useThread(spaceId, eventId)
  const anchor = useEvent(spaceId, data === undefined ? null : (data?.thread.parent_event_id ?? eventId))
  const thread = data?.thread ?? null
  const [isStarted, setIsStarted] = useState(false)
  const words = texts.thread
  return (
    <Panel
      title={thread?.subject ?? words.title}
      subtitle={thread && words.title}
      onClose={onClose}
      footer={
        isOpen && thread ? (
          <Reply
            {...{ spaceId, outbox, people }}
            threadId={thread.thread_id}
            anchorId={thread.parent_event_id}
            isFirst={isStarted}
          />
        ) : (
          isOpen &&
          data === null &&
          anchor.data && <StartThread spaceId={spaceId} event={anchor.data} onStart={() => setIsStarted(true)} />
        )
      }
    >
      {error && data === undefined ? (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      ) : anchor.error ? (
        <EmptyState icon="thread" title={words.unknownTitle} />
      ) : data === undefined || !anchor.data ? (
        <Skeleton rows={3} />
      ) : (
        <div className={styles.thread}>
          <div className={styles.anchor}>
            <EventItem
              row={rowOf(anchor.data)}
              people={people}
              actions={actions}
              isChosen={false}
              isTarget={false}
              isInThread
            />
          </div>
          {thread && (
            <Replies events={data?.events ?? []} threadId={thread.thread_id} {...{ outbox, people, actions }} />
          )}
        </div>
      )}
    </Panel>
  )
}

interface RepliesProps extends Pick<ThreadPanelProps, 'outbox' | 'people' | 'actions'> {
  readonly events: readonly Event[]
  readonly threadId: string
}

function Replies({ events, threadId, outbox, people, actions }: RepliesProps) {
  const { account } = useSession()
  const entries = useCell(outbox.entries)
  const end = useRef<HTMLDivElement>(null)
  const outgoing = unarrived(
    entries.filter((one) => one.threadId === threadId),
    events,
    account.actorId,
  )
  const length = events.length + outgoing.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is new is to be seen
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' })
  }, [length])

  if (length === 0) return <p className={styles.empty}>{texts.thread.empty}</p>
  return (
    <>
      {events.map((event) => (
        <EventItem
          key={event.event_id}
          row={rowOf(event)}
          people={people}
          actions={actions}
          isChosen={false}
          isTarget={false}
          isInThread
        />
      ))}
      {outgoing.map((one) => (
        <OutgoingItem key={one.key} outgoing={one} outbox={outbox} account={account} />
      ))}
      <div ref={end} />
    </>
  )
}

const rowOf = (event: Event): EventRow => ({
  kind: 'event',
  // It may stand in the history at the same time.
  key: `thread-${event.event_id}`,
  event,
  startsDay: false,
  isContinued: false,
  isFirstUnread: false,
  replies: 0,
})

interface ReplyProps extends Pick<ThreadPanelProps, 'spaceId' | 'outbox' | 'people'> {
  readonly threadId: string
  readonly anchorId: string
  /** Whether the thread was started here: then what is said in it comes next, on a touch screen, too. */
  readonly isFirst: boolean
}

function Reply({ spaceId, outbox, people, threadId, anchorId, isFirst }: ReplyProps) {
  const { account } = useSession()
  return (
    <Composer
      place={{ actorId: account.actorId, spaceId, threadOf: threadId }}
      label={texts.composer.threadLabel}
      placeholder={texts.composer.threadPlaceholder}
      participants={people.participants}
      hasFocus={isFirst || HAS_KEYBOARD}
      onSend={({ text, mentions }) => outbox.send({ text, mentions, threadId, parentEventId: anchorId })}
    />
  )
}
