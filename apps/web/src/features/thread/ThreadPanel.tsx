import type { Event } from '@collab-spaces/client'
import { useEffect, useRef, useState } from 'react'
import { HAS_KEYBOARD } from '../../shared/browser/media'
import { useCell } from '../../shared/cell'
import { EmptyState } from '../../shared/components/EmptyState'
import { ErrorNote } from '../../shared/components/ErrorNote'
import { CheckField } from '../../shared/components/Field'
import { Panel } from '../../shared/components/Panel'
import { Skeleton } from '../../shared/components/Skeleton'
import type { Names } from '../../shared/query/names'
import { useEvent, useThread } from '../../shared/query/thread'
import { useSession } from '../../shared/session/session'
import { Composer } from '../composer/Composer'
import { ComposerGate } from '../composer/ComposerGate'
import type { Outbox } from '../composer/outbox'
import { composerTexts } from '../composer/texts'
import { type EventActions, EventItem } from '../history/EventItem'
import { withRevisions } from '../history/fold-revisions'
import { OutgoingItem } from '../history/OutgoingItem'
import { correctionOf, lastRevisable } from '../history/revise'
import { lineOf, undelivered } from '../history/rows'
import { threadTexts } from '../history/texts'
import { subjectFrom } from './subject'
import styles from './ThreadPanel.module.css'
import { threadPanelTexts } from './texts'

interface ThreadPanelProps {
  readonly spaceId: string
  /** The ID of the thread, or of the event on which it starts. */
  readonly eventId: string
  readonly outbox: Outbox
  readonly names: Names
  readonly actions: EventActions
  /** The reply that is edited. */
  readonly editing: Event | null
  readonly onEdit: (event: Event | null) => void
  readonly onClose: () => void
}

/** A thread: the event on which it starts, its replies and a composer. */
export function ThreadPanel(props: ThreadPanelProps) {
  const { spaceId, eventId, outbox, names, actions, editing, onEdit, onClose } = props
  const { data, error, refetch } = useThread(spaceId, eventId)
  const anchor = useEvent(spaceId, data === undefined ? null : (data?.thread.parent_event_id ?? eventId))
  const thread = data?.thread ?? null
  const words = threadTexts
  return (
    <Panel
      title={thread?.subject ?? words.title}
      subtitle={thread && words.title}
      onClose={onClose}
      footer={
        data !== undefined &&
        anchor.data && (
          <ComposerGate spaceId={spaceId}>
            <Reply
              {...{ spaceId, outbox, editing, onEdit }}
              thread={thread}
              anchor={anchor.data}
              replies={data?.events ?? []}
            />
          </ComposerGate>
        )
      }
    >
      {error && data === undefined ? (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      ) : anchor.error ? (
        <EmptyState icon="thread" title={threadPanelTexts.unknownTitle} />
      ) : data === undefined || !anchor.data ? (
        <Skeleton rows={3} />
      ) : (
        <div className={styles.thread}>
          <div className={styles.anchor}>
            <EventItem
              row={lineOf(anchor.data, 'thread')}
              names={names}
              actions={actions}
              isSelected={false}
              isTarget={false}
              isInThread
            />
          </div>
          <Replies
            events={data?.events ?? []}
            threadId={thread?.thread_id ?? null}
            anchorId={anchor.data.event_id}
            {...{ outbox, names, actions }}
          />
        </div>
      )}
    </Panel>
  )
}

interface RepliesProps extends Pick<ThreadPanelProps, 'outbox' | 'names' | 'actions'> {
  readonly events: readonly Event[]
  /** Null until the thread exists. */
  readonly threadId: string | null
  readonly anchorId: string
}

function Replies({ events, threadId, anchorId, outbox, names, actions }: RepliesProps) {
  const { account } = useSession()
  const entries = useCell(outbox.entries)
  const end = useRef<HTMLDivElement>(null)
  const outgoing = undelivered(
    entries.filter(({ startsOn, ...one }) =>
      startsOn ? startsOn.eventId === anchorId : threadId !== null && one.threadId === threadId,
    ),
    events,
    account.actorId,
  )
  const length = events.length + outgoing.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to new replies
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' })
  }, [length])

  if (length === 0) return <p className={styles.empty}>{threadPanelTexts.empty}</p>
  return (
    <>
      {withRevisions(events).map((event) => (
        <EventItem
          key={event.event_id}
          row={lineOf(event, 'thread')}
          names={names}
          actions={actions}
          isSelected={false}
          isTarget={false}
          isInThread
        />
      ))}
      {outgoing.map((one) => (
        <OutgoingItem key={one.key} outgoing={one} outbox={outbox} />
      ))}
      <div ref={end} />
    </>
  )
}

interface ReplyProps extends Pick<ThreadPanelProps, 'spaceId' | 'outbox' | 'editing' | 'onEdit'> {
  /** Null until the first reply creates it. */
  readonly thread: { readonly thread_id: string } | null
  readonly anchor: Event
  readonly replies: readonly Event[]
}

function Reply({ spaceId, outbox, editing, onEdit, thread, anchor, replies }: ReplyProps) {
  const { account } = useSession()
  const [isRepeated, setIsRepeated] = useState(false)
  const { event_id: parentEventId } = anchor
  const startsOn = thread ? undefined : { eventId: parentEventId, subject: subjectFrom(anchor) }
  return (
    <Composer
      key={editing?.event_id ?? ''}
      editing={editing}
      onCancelEdit={() => onEdit(null)}
      onEditLast={() => onEdit(lastRevisable(withRevisions(replies), account.actorId))}
      place={{ actorId: account.actorId, spaceId, threadOf: parentEventId }}
      label={composerTexts.threadLabel}
      placeholder={composerTexts.threadPlaceholder}
      hasFocus={HAS_KEYBOARD}
      onLeave={focusPanel}
      onSend={({ text, mentions, files }) => {
        if (editing) {
          outbox.send(correctionOf(editing, { text, mentions }))
          return onEdit(null)
        }
        outbox.send({ text, mentions, files, threadId: thread?.thread_id ?? null, parentEventId, startsOn })
        // Only the reply notifies mentioned actors, and has the files.
        if (isRepeated) outbox.send({ text, mentions: [], threadId: null, parentEventId, isRepeated })
        setIsRepeated(false)
      }}
    >
      <div className={styles.also}>
        <CheckField label={threadPanelTexts.alsoInSpace} checked={isRepeated} onChange={setIsRepeated} />
      </div>
    </Composer>
  )
}

/** Focuses the panel, in which Tab reaches the replies and Escape closes it. */
const focusPanel = () => document.querySelector<HTMLElement>('aside > section')?.focus()
