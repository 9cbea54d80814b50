import { type Event, SpacesError } from '@collab-spaces/client'
import {
  type FocusEvent,
  type KeyboardEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { useShortcut } from '../app/shortcut'
import { useCell } from '../cell'
import { Button } from '../components/Button'
import { EmptyState } from '../components/EmptyState'
import { ErrorNote } from '../components/ErrorNote'
import { Skeleton } from '../components/Skeleton'
import type { Outbox } from '../composer/outbox'
import { useSession } from '../session/session'
import { BringOthers } from '../space/BringOthers'
import { texts } from '../texts'
import { EventItem } from './EventItem'
import type { EventActions } from './event-actions'
import styles from './HistoryView.module.css'
import type { History } from './history'
import { OutgoingItem } from './OutgoingItem'
import type { People } from './people'
import { type Row, rowsOf } from './rows'

interface HistoryViewProps {
  readonly spaceId: string
  readonly history: History
  readonly outbox: Outbox
  readonly people: People
  readonly actions: EventActions
  /** Whether anything can be said here now. */
  readonly canWrite: boolean
  /** The last event that was read before this visit. */
  readonly unreadAfter: string | null
  /** Called whenever the reader has seen the newest event. */
  readonly onRead: (newest: Event | null) => void
}

/** How close to an end of what is loaded the reader may come before more is loaded. */
const NEAR_PX = 1_200
/** As close to the bottom as counts as being there. */
const AT_END_PX = 32
/** The height of what stands above the first event: `.edge`. */
const EDGE_PX = 64

/** The history of a space as a list that is only as long as the window shows. */
export function HistoryView(props: HistoryViewProps) {
  const { spaceId, history, outbox, people, actions, canWrite, unreadAfter, onRead } = props
  const { account } = useSession()
  const state = useCell(history.state)
  const outgoing = useCell(outbox.entries)
  const { events, destination, hasNewer, hasOlder, unseen, connection, status } = state
  const scroller = useRef<HTMLElement>(null)
  const list = useRef<VirtualizerHandle>(null)
  const [isAtEnd, setIsAtEnd] = useState(true)
  const [chosen, setChosen] = useState<string | null>(null)
  const rows = useMemo(
    () => rowsOf({ events, outgoing, isAtTail: !hasNewer, unreadAfter, actorId: account.actorId }),
    [events, outgoing, hasNewer, unreadAfter, account.actorId],
  )
  const shift = useHasGrownAtStart(rows, destination.serial)

  const look = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const below = element.scrollHeight - element.scrollTop - element.clientHeight
    history.isAtEnd = below < AT_END_PX
    setIsAtEnd(history.isAtEnd)
    if (element.scrollTop < NEAR_PX) void history.loadOlder()
    if (below < NEAR_PX) void history.loadNewer()
  }, [history])

  const stayAtEnd = useCallback(() => {
    const element = scroller.current
    if (element && history.isAtEnd && !history.state.value.hasNewer) element.scrollTop = element.scrollHeight
  }, [history])

  const last = rows.at(-1)?.key
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new last line moves the end
  useLayoutEffect(stayAtEnd, [last, stayAtEnd])

  // What is written by oneself is to be seen, wherever one was reading. What has arrived, or was given up, moves nobody.
  const writtenAt = outgoing.at(-1)?.sentAt ?? ''
  const lastWrittenAt = useRef(writtenAt)
  useEffect(() => {
    if (writtenAt <= lastWrittenAt.current) return
    lastWrittenAt.current = writtenAt
    if (history.state.value.hasNewer) void history.toNewest()
    else {
      history.isAtEnd = true
      stayAtEnd()
    }
  }, [writtenAt, history, stayAtEnd])

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new destination takes the reader elsewhere
  useLayoutEffect(() => {
    const { eventId } = destination
    if (eventId === null) return stayAtEnd()
    const index = rows.findIndex(({ key }) => key === eventId)
    if (index === -1) return
    list.current?.scrollToIndex(index, { align: 'center' })
    setChosen(eventId)
  }, [destination.serial])

  const newest = events.at(-1) ?? null
  const isVisible = useIsVisible()
  useEffect(() => {
    if (status === 'ready' && isAtEnd && !hasNewer && isVisible) onRead(newest)
  }, [status, isAtEnd, hasNewer, newest, isVisible, onRead])

  const toNewest = useCallback(() => {
    if (history.state.value.hasNewer) void history.toNewest()
    else {
      history.isAtEnd = true
      stayAtEnd()
    }
  }, [history, stayAtEnd])
  useShortcut(
    'End',
    // A panel has an end of its own.
    useCallback(({ target }) => !isInPanel(target) && toNewest(), [toNewest]),
  )

  const choose = (index: number) => {
    const row = rows[index]
    if (!row) return
    setChosen(row.key)
    list.current?.scrollToIndex(index, { align: 'nearest' })
    // The line exists once the list has scrolled there.
    requestAnimationFrame(() => document.getElementById(`event-${row.key}`)?.focus({ preventScroll: true }))
  }
  /** A click or a tap takes the keyboard to a line, and what can be done with it is shown. */
  const onFocus = ({ target }: FocusEvent) => {
    const id = target.closest('article')?.id
    if (id) setChosen(id.slice('event-'.length))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof Element && event.target.closest('button, a, input, textarea, pre')) return
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const index = rows.findIndex(({ key }) => key === chosen)
    const row = rows[index]
    const keys: Readonly<Record<string, (() => void) | undefined>> = {
      ArrowUp: () => choose(index === -1 ? rows.length - 1 : index - 1),
      ArrowDown: () => choose(index === -1 ? rows.length - 1 : index + 1),
      ...(row?.kind === 'event' && {
        r: () => actions.reply(row.event),
        t: () => actions.openThread(row.event),
        i: () => actions.showDetails(row.event),
      }),
    }
    const act = keys[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }

  if (status === 'failed') return <Failure history={history} />
  if (status === 'loading') {
    return (
      <div className={styles.loading}>
        <Skeleton rows={6} />
      </div>
    )
  }
  const isUnreadAbove =
    unreadAfter !== null &&
    !rows.some((row) => row.kind === 'event' && row.isFirstUnread) &&
    newest?.event_id !== unreadAfter &&
    !events.some(({ event_id }) => event_id === unreadAfter)
  return (
    <div className={styles.frame}>
      <div className={styles.notices}>
        {connection === 'reconnecting' && (
          <p className={styles.notice} role="status">
            {texts.connection.reconnecting}
          </p>
        )}
        {connection === 'ended' && (
          <p className={styles.notice} role="alert">
            {texts.connection.ended}
          </p>
        )}
        {isUnreadAbove && (
          <Button size="small" icon="arrowUp" onClick={() => void history.toEvent(unreadAfter)}>
            {texts.history.toUnread}
          </Button>
        )}
      </div>
      <section
        ref={scroller}
        className={styles.scroller}
        role="log"
        aria-label={texts.history.label(spaceId)}
        aria-live={isAtEnd ? 'polite' : 'off'}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
        tabIndex={0}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
      >
        <div className={styles.edge}>
          {hasOlder ? texts.history.loadingOlder : rows.length > 0 ? texts.history.beginningOf(spaceId) : ''}
        </div>
        {rows.length === 0 && (
          <EmptyState
            icon="thread"
            title={canWrite ? texts.history.emptyTitle : texts.history.silentTitle}
            action={canWrite && <BringOthers spaceId={spaceId} />}
          >
            {canWrite ? texts.history.emptyText : texts.history.silentText}
          </EmptyState>
        )}
        <Virtualizer
          key={destination.serial}
          ref={list}
          scrollRef={scroller}
          data={rows}
          shift={shift}
          startMargin={EDGE_PX}
          bufferSize={600}
          onScroll={look}
          onResize={() => {
            stayAtEnd()
            look()
          }}
        >
          {(row) =>
            row.kind === 'event' ? (
              <EventItem
                key={row.key}
                row={row}
                people={people}
                actions={actions}
                isChosen={row.key === chosen}
                isTarget={row.key === destination.eventId}
              />
            ) : (
              <OutgoingItem key={row.key} outgoing={row.outgoing} outbox={outbox} account={account} />
            )
          }
        </Virtualizer>
        <div className={styles.foot} />
      </section>
      {(!isAtEnd || hasNewer) && (
        <div className={styles.toNewest}>
          <Button icon="arrowDown" onClick={toNewest} aria-label={texts.history.toNewest}>
            {unseen > 0 ? texts.history.newBelow(unseen) : texts.history.toNewest}
          </Button>
        </div>
      )}
    </div>
  )
}

const isInPanel = (target: EventTarget | null): boolean => target instanceof Element && target.closest('aside') !== null

function Failure({ history }: { readonly history: History }) {
  const { error } = useCell(history.state)
  const isUnknown = error instanceof SpacesError && error.status === 404
  return (
    <div className={styles.loading}>
      <ErrorNote
        error={error}
        onRetry={() => void (isUnknown ? history.toNewest() : history.tryAgain())}
        retry={isUnknown ? texts.history.toNewest : undefined}
      />
    </div>
  )
}

/** Whether the page can be seen, and not another tab. */
const useIsVisible = () =>
  useSyncExternalStore(
    (listener) => {
      document.addEventListener('visibilitychange', listener)
      return () => document.removeEventListener('visibilitychange', listener)
    },
    () => document.visibilityState === 'visible',
  )

/** Whether lines have come or gone at the beginning since the last time: then the list keeps its place from the end. */
function useHasGrownAtStart(rows: readonly Row[], serial: number): boolean {
  const before = useRef({ first: rows[0]?.key, serial })
  const first = rows[0]?.key
  const { current } = before
  useLayoutEffect(() => {
    before.current = { first, serial }
  }, [first, serial])
  return current.serial === serial && current.first !== undefined && current.first !== first
}
