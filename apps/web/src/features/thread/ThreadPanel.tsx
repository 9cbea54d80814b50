import type { Decision, Event, Thread } from '@collab-spaces/client'
import { useEffect, useRef, useState } from 'react'
import { HAS_KEYBOARD, usePanelsCover } from '../../shared/browser/media'
import { useCell } from '../../shared/cell'
import { EmptyState } from '../../shared/components/EmptyState'
import { ErrorNote } from '../../shared/components/ErrorNote'
import { CheckField } from '../../shared/components/Field'
import { Panel } from '../../shared/components/Panel'
import { Skeleton } from '../../shared/components/Skeleton'
import { discussedIn } from '../../shared/navigation/paths'
import { useDecision } from '../../shared/query/decision'
import type { Names } from '../../shared/query/names'
import { useEvent, useThread } from '../../shared/query/thread'
import { useSession } from '../../shared/session/session'
import { Composer } from '../composer/Composer'
import { ComposerGate } from '../composer/ComposerGate'
import type { Outbox } from '../composer/outbox'
import { composerTexts } from '../composer/texts'
import { UndoSend } from '../composer/UndoSend'
import { DecisionCard } from '../decision/DecisionCard'
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
  /** The ID of the thread, or of the event on which it starts; or the decision, as the address names it. */
  readonly eventId: string
  readonly outbox: Outbox
  readonly names: Names
  readonly actions: EventActions
  /** The reply that is edited. */
  readonly editing: Event | null
  readonly onEdit: (event: Event | null) => void
  readonly onClose: () => void
}

/** A thread: the event or decision that it is about, its replies and a composer. */
export function ThreadPanel(props: ThreadPanelProps) {
  const { spaceId, eventId, outbox, names, actions, editing, onEdit, onClose } = props
  const discussed = discussedIn(eventId)
  const { data, error, refetch } = useThread(spaceId, discussed ?? eventId)
  const thread = data?.thread ?? null
  const decisionId = thread?.decision_id ?? discussed
  const isEvent = data !== undefined && decisionId === null
  const event = useEvent(spaceId, isEvent ? (thread?.parent_event_id ?? eventId) : null)
  const decision = useDecision(spaceId, decisionId)
  const anchor = anchorOf(event.data, decision.data)
  const words = threadTexts
  const isCover = usePanelsCover()
  return (
    <Panel
      title={thread?.subject ?? words.title}
      subtitle={thread && words.title}
      onClose={onClose}
      isPrinted
      footer={
        data !== undefined &&
        anchor && (
          <ComposerGate spaceId={spaceId}>
            {/* Otherwise it is below the history. */}
            {isCover && <UndoSend spaceId={spaceId} outbox={outbox} />}
            <Reply
              {...{ spaceId, outbox, editing, onEdit }}
              thread={thread}
              anchor={anchor}
              replies={data?.events ?? []}
            />
          </ComposerGate>
        )
      }
    >
      {error && data === undefined ? (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      ) : (event.error ?? decision.error) ? (
        <EmptyState icon="thread" title={threadPanelTexts.unknownTitle} />
      ) : data === undefined || !anchor ? (
        <Skeleton rows={3} />
      ) : (
        <div className={styles.thread}>
          <div className={styles.anchor}>
            {anchor.decision ? (
              <DecisionCard decision={anchor.decision} names={names} isSelected={false} />
            ) : (
              <EventItem
                row={lineOf(anchor.event, 'thread')}
                names={names}
                actions={actions}
                isSelected={false}
                isTarget={false}
                isInThread
              />
            )}
          </div>
          <Replies
            events={data?.events ?? []}
            threadId={thread?.thread_id ?? null}
            anchorId={anchor.decision ? anchor.decision.decision_id : anchor.event.event_id}
            {...{ outbox, names, actions }}
          />
        </div>
      )}
    </Panel>
  )
}

/** What a thread is about. */
type Anchor =
  | { readonly event: Event; readonly decision?: undefined }
  | { readonly event?: undefined; readonly decision: Decision }

function anchorOf(event: Event | undefined, decision: Decision | undefined): Anchor | null {
  if (decision) return { decision }
  return event ? { event } : null
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
      startsOn
        ? (startsOn.decision_id ?? startsOn.parent_event_id) === anchorId
        : threadId !== null && one.threadId === threadId,
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
  readonly thread: Thread | null
  readonly anchor: Anchor
  readonly replies: readonly Event[]
}

function Reply({ spaceId, outbox, editing, onEdit, thread, anchor, replies }: ReplyProps) {
  const { account } = useSession()
  const [isRepeated, setIsRepeated] = useState(false)
  const { event, decision } = anchor
  const parentEventId = event?.event_id ?? null
  const start = decision
    ? { decision_id: decision.decision_id }
    : { parent_event_id: event.event_id, subject: subjectFrom(event) }
  const startsOn = thread ? undefined : start
  return (
    <Composer
      key={editing?.event_id ?? ''}
      editing={editing}
      onCancelEdit={() => onEdit(null)}
      onEditLast={() => onEdit(lastRevisable(withRevisions(replies), account.actorId))}
      place={{ actorId: account.actorId, spaceId, threadOf: decision?.decision_id ?? parentEventId }}
      label={composerTexts.threadLabel}
      placeholder={composerTexts.threadPlaceholder}
      hasFocus={HAS_KEYBOARD}
      onLeave={focusPanel}
      onSend={({ text, mentions, files, place }) => {
        if (editing) {
          outbox.send(correctionOf(editing, { text, mentions }))
          return onEdit(null)
        }
        const threadId = thread?.thread_id ?? null
        const copyOf = outbox.send({ text, mentions, files, place, threadId, parentEventId, startsOn })
        // Only the reply notifies mentioned actors, and has the files.
        if (isRepeated) outbox.send({ text, mentions: [], threadId: null, parentEventId, copyOf })
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
