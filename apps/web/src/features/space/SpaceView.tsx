import { currentText, type Event, type SpaceDetails } from '@collab-spaces/client'
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { copyLink, copySource } from '../../shared/browser/copy'
import { HAS_KEYBOARD } from '../../shared/browser/media'
import { useShortcut } from '../../shared/browser/shortcut'
import { PanelSkeleton } from '../../shared/components/Panel'
import { eventPath, spacePath } from '../../shared/navigation/paths'
import { useSameUrlNavigation } from '../../shared/navigation/same-url'
import { type Names, useNames } from '../../shared/query/names'
import { useHasScope } from '../../shared/query/permission'
import { isSampleId } from '../../shared/query/sample'
import { useSpaceName } from '../../shared/query/space-name'
import { lazyPreload } from '../../shared/session/lazy-preload'
import { useSession } from '../../shared/session/session'
import { Composer } from '../composer/Composer'
import { ComposerGate } from '../composer/ComposerGate'
import type { Outbox } from '../composer/outbox'
import { composerTexts } from '../composer/texts'
import { UndoSend } from '../composer/UndoSend'
import { Guide } from '../guide/Guide'
import { EventDetails } from '../history/EventDetails'
import type { EventActions } from '../history/EventItem'
import { withRevisions } from '../history/fold-revisions'
import { HistoryView } from '../history/HistoryView'
import type { History } from '../history/history'
import { RetractDialog } from '../history/RetractDialog'
import { correctionOf, lastRevisable } from '../history/revise'
import { type ScrollPosition, savedPosition } from '../history/scroll-position'
import { actsTexts } from '../history/texts'
import { useHistory } from '../history/useHistory'
import { type Unread, useReadMark } from '../history/useReadMark'
import { threadPanelTexts } from '../thread/texts'
import { GuardNote } from './GuardNote'
import { SpaceHeader } from './SpaceHeader'
import styles from './SpaceView.module.css'
import { usePanel } from './usePanel'

const ProposeDialog = lazyPreload(async () => (await import('../decision/ProposeDialog')).ProposeDialog)
const ThreadPanel = lazyPreload(async () => (await import('../thread/ThreadPanel')).ThreadPanel)

interface SpaceViewProps {
  readonly spaceId: string
  /** Undefined until it loads. */
  readonly space: SpaceDetails | undefined
  /** Whether it was fetched for this visit, so that its unread count is current. */
  readonly isCurrent: boolean
  /** The event in the path. */
  readonly eventId: string | null
}

/** The history of a space, its composer and the open panel. */
export function SpaceView({ spaceId, space, isCurrent, eventId }: SpaceViewProps) {
  const { account } = useSession()
  const { actorId } = account
  const [, navigate] = useLocation()
  const { history, outbox } = useHistory(spaceId)
  const names = useNames(spaceId)
  const [proposed, setProposed] = useState<Event | null>(null)
  const [replyTo, setReplyTo] = useState<Event | null>(null)
  const [editing, setEditing] = useState<Event | null>(null)
  const [retracting, setRetracting] = useState<Event | null>(null)
  const [detailed, setDetailed] = useState<Event | null>(null)
  const { unread, setUnread, onSeen } = useReadMark(spaceId, isCurrent ? space : undefined)
  const { panel, threadOf, isCovered, open, close } = usePanel()

  useInitialPosition({ history, actorId, eventId, place: savedPosition(actorId, spaceId), unread })
  useShortcut('c', focusComposer)

  const isOpen = space === undefined || space.status === 'active'
  const canRevise = useHasScope('write') && isOpen
  const goTo = useCallback((id: string) => navigate(eventPath(spaceId, id)), [navigate, spaceId])
  const actions = useMemo<EventActions>(
    () => ({
      reply: setReplyTo,
      openThread: ({ event_id, thread_id }) => open({ thread: thread_id ?? event_id }),
      showDetails: setDetailed,
      copyText: (event) => void copySource(currentText(event)),
      copyLink: ({ event_id }) => void copyLink(eventPath(spaceId, event_id)),
      propose: isOpen ? setProposed : null,
      revise: canRevise ? { edit: setEditing, retract: setRetracting } : null,
      goTo,
    }),
    [open, goTo, spaceId, isOpen, canRevise],
  )

  return (
    <div className={styles.space}>
      <div className={styles.center} data-drop inert={isCovered}>
        <SpaceHeader
          spaceId={spaceId}
          space={space}
          panelId={panel?.id ?? null}
          onPanel={(id) => (id === panel?.id ? close() : open({ panel: id }))}
          onTime={(time) => history.toTime(time)}
        />
        {account.kind === 'human' && isSampleId(spaceId) && (
          <Guide spaceId={spaceId} history={history} canWrite={isOpen} />
        )}
        <HistoryView
          spaceId={spaceId}
          history={history}
          outbox={outbox}
          names={names}
          actions={actions}
          canWrite={isOpen}
          unread={unread}
          isCovered={isCovered}
          onUnread={setUnread}
          onSeen={onSeen}
        />
        <footer className={styles.footer} data-composer data-unprinted>
          <GuardNote spaceId={spaceId} history={history} />
          <SpaceComposer
            spaceId={spaceId}
            outbox={outbox}
            hasFocus={eventId === null && panel === undefined && threadOf === null}
            history={history}
            replyTo={replyTo}
            onReply={setReplyTo}
            editing={isEditedInThread(editing, threadOf) ? null : editing}
            onEdit={setEditing}
            onSent={() => {
              if (eventId !== null) navigate(spacePath(spaceId))
            }}
          />
        </footer>
      </div>
      <Suspense fallback={<PanelSkeleton title={panel?.label ?? threadPanelTexts.threads} onClose={close} />}>
        {threadOf !== null ? (
          <ThreadPanel
            key={threadOf}
            spaceId={spaceId}
            eventId={threadOf}
            outbox={outbox}
            names={names}
            actions={actions}
            editing={isEditedInThread(editing, threadOf) ? editing : null}
            onEdit={setEditing}
            onClose={close}
          />
        ) : (
          panel && <panel.panel spaceId={spaceId} onClose={close} />
        )}
      </Suspense>
      {proposed && <Proposal {...{ history, names }} event={proposed} onClose={() => setProposed(null)} />}
      {retracting && <RetractDialog event={retracting} onClose={() => setRetracting(null)} />}
      <EventDetails event={detailed} onClose={() => setDetailed(null)} />
    </div>
  )
}

const isOutsideThreads = ({ thread_id }: Event) => thread_id === null

/** Returns whether a message is edited in the field of the open thread. */
const isEditedInThread = (editing: Event | null, threadOf: string | null): boolean =>
  threadOf !== null && editing !== null && editing.thread_id !== null

interface SpaceComposerProps {
  readonly spaceId: string
  readonly history: History
  readonly outbox: Outbox
  /** Whether the space is opened to write: its field takes the focus, unless the keyboard has placed it elsewhere. */
  readonly hasFocus: boolean
  readonly replyTo: Event | null
  /** Called with null when the reply is sent or cancelled. */
  readonly onReply: (event: Event | null) => void
  /** The message that is edited. */
  readonly editing: Event | null
  readonly onEdit: (event: Event | null) => void
  readonly onSent: () => void
}

function SpaceComposer(props: SpaceComposerProps) {
  const { spaceId, history, outbox, hasFocus, replyTo, onReply, editing, onEdit, onSent } = props
  const { actorId } = useSession().account
  const [hasEdited, setHasEdited] = useState(false)
  const name = useSpaceName(spaceId)
  const onEdited = () => {
    setHasEdited(true)
    onEdit(null)
  }
  const [takesFocus] = useState(() => hasFocus && HAS_KEYBOARD && !isFocusedByKeyboard())
  return (
    <ComposerGate spaceId={spaceId}>
      <UndoSend
        spaceId={spaceId}
        outbox={outbox}
        onRestored={({ place, parentEventId }) => {
          const isParent = ({ event_id }: Event) => event_id === parentEventId
          if (place?.threadOf === null) onReply(history.state.value.events.find(isParent) ?? null)
        }}
      />
      <Composer
        key={editing?.event_id ?? ''}
        hasFocus={takesFocus || hasEdited}
        place={{ actorId, spaceId, threadOf: null }}
        label={composerTexts.label(name)}
        placeholder={composerTexts.placeholder(name)}
        replyTo={replyTo}
        onCancelReply={() => onReply(null)}
        editing={editing}
        onCancelEdit={() => onEdited()}
        onEditLast={() =>
          onEdit(lastRevisable(withRevisions(history.state.value.events).filter(isOutsideThreads), actorId))
        }
        onLeave={focusHistory}
        onSend={(message) => {
          if (editing) {
            outbox.send(correctionOf(editing, message))
            return onEdited()
          }
          const { event_id = null, thread_id = null } = replyTo ?? {}
          outbox.send({ ...message, parentEventId: event_id, threadId: thread_id })
          onReply(null)
          onSent()
        }}
      />
    </ComposerGate>
  )
}

interface ProposalProps {
  readonly history: History
  readonly names: Names
  readonly event: Event
  readonly onClose: () => void
}

/** The dialog that proposes the text of a message as a decision. */
function Proposal({ history, names, event, onClose }: ProposalProps) {
  const onProposed = () => void history.toNewest()
  return (
    <Suspense>
      <ProposeDialog spaceId={event.space_id} initialText={proposalOf(event)} {...{ names, onProposed, onClose }} />
    </Suspense>
  )
}

/** Returns the text of a proposal made from a message, with a link to it. */
function proposalOf(event: Event): string {
  const { space_id, event_id, posted_by_name } = event
  const source = actsTexts.source(posted_by_name).replace(/[[\]\\]/g, '')
  return `${currentText(event).trim()}\n\n[${source}](${window.location.origin}${eventPath(space_id, event_id)})`
}

/** Returns whether the keyboard has placed the focus, outside of a dialog that closes. */
const isFocusedByKeyboard = (): boolean =>
  document.activeElement?.matches(':focus-visible') === true && document.activeElement.closest('[role=dialog]') === null

const focusComposer = () => document.querySelector<HTMLElement>('[data-composer] textarea')?.focus()

/** Focuses the history, in which arrows select lines. */
const focusHistory = () => document.querySelector<HTMLElement>('[role=log]')?.focus()

interface InitialPosition {
  readonly history: History
  readonly actorId: string
  readonly eventId: string | null
  readonly place: ScrollPosition | null
  readonly unread: Unread | undefined
}

/**
 * Jumps to the event in the path, also when the same link is followed again. Without one, restores the last scroll
 * position, or else jumps to the first unread event once the unread count is known.
 */
function useInitialPosition({ history, actorId, eventId, place, unread }: InitialPosition): void {
  const isFirst = useRef(true)
  const isWaiting = isFirst.current && eventId === null && place === null && unread === undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: uses the values at the start of the visit
  useEffect(() => {
    if (isWaiting) return history.readAhead()
    const back = isFirst.current ? place : null
    const after = isFirst.current ? (unread?.after ?? null) : null
    isFirst.current = false
    if (eventId !== null) void history.toEvent(eventId)
    else if (back) void history.toEvent(back.eventId, back.top)
    else if (after !== null) void history.toUnread(after, actorId)
    else void history.toNewest()
  }, [history, eventId, isWaiting])
  useSameUrlNavigation(
    useCallback(() => {
      if (eventId !== null) void history.toEvent(eventId)
    }, [history, eventId]),
  )
}
