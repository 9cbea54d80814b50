import type { Event } from '@collab-spaces/client'
import { useMemo } from 'react'
import { Virtualizer } from 'virtua'
import { useIsVisible } from '../../shared/browser/visible'
import { useCell } from '../../shared/cell'
import { Button } from '../../shared/components/Button'
import { ErrorNote } from '../../shared/components/ErrorNote'
import { Skeleton } from '../../shared/components/Skeleton'
import { hasStatus } from '../../shared/explain'
import type { Names } from '../../shared/query/names'
import { useSpaceName } from '../../shared/query/space-name'
import { useSession } from '../../shared/session/session'
import type { Outbox, Outgoing } from '../composer/outbox'
import { ActItem } from './ActItem'
import { EmptyHistory } from './EmptyHistory'
import { type EventActions, EventItem } from './EventItem'
import { foldParticipants } from './fold-participants'
import { foldThreads } from './fold-threads'
import { foldTranscripts } from './fold-transcripts'
import styles from './HistoryView.module.css'
import type { History } from './history'
import { UnreadCount } from './Line'
import { Notices } from './Notices'
import { OutgoingItem } from './OutgoingItem'
import { representsEvent } from './row-events'
import { type Row, rowsOf } from './rows'
import { useSavedPosition } from './scroll-position'
import { ThreadItem } from './ThreadItem'
import { TranscriptItem } from './TranscriptItem'
import { historyTexts } from './texts'
import { useIsPrinting } from './useIsPrinting'
import { useOpenTranscripts } from './useOpenTranscripts'
import type { Unread } from './useReadMark'
import { useScrolling } from './useScrolling'
import { useSeen } from './useSeen'
import { useSelectedLine } from './useSelectedLine'

interface HistoryViewProps {
  readonly spaceId: string
  readonly history: History
  readonly outbox: Outbox
  readonly names: Names
  readonly actions: EventActions
  /** Whether the account can post here now. */
  readonly canWrite: boolean
  /** The unread events before this visit; undefined until they load. */
  readonly unread: Unread | undefined
  /** Whether the navigation or a panel hides it. */
  readonly isCovered: boolean
  readonly onUnread: (unread: Unread) => void
  /** Called with the last seen event, and whether it is the newest. */
  readonly onSeen: (event: Event, isNewest: boolean) => void
}

const NONE: readonly number[] = []

/** The height of `.edge` above the first event. */
const EDGE_PX = 64

/** The history of a space as a virtualized list. */
export function HistoryView(props: HistoryViewProps) {
  const { spaceId, history, outbox, names, actions, canWrite, unread, isCovered, onUnread, onSeen } = props
  const unreadAfter = unread?.after ?? null
  const name = useSpaceName(spaceId)
  const { account } = useSession()
  const state = useCell(history.state)
  const outgoing = useCell(outbox.entries)
  const { acts, destination, hasNewer, hasOlder, unseen, status, connection } = state
  const isInView = useIsVisible() && !isCovered
  const { rows, isPrinting, toggle } = useRows({ history, outgoing, unreadAfter })
  const { scroller, list, isAtEnd, shift, ...scrolling } = useScrolling({
    ...{ history, rows, outgoing, destination, status, connection, isInView, onUnread },
  })
  const { selected, ...keyboard } = useSelectedLine({ rows, list, destination, actions, onToggle: toggle })
  const selectedIndex = rows.findIndex(({ key }) => key === selected)
  const lookSoon = useSeen({ history, state, rows, isAtEnd, isInView, scroller, onSeen })
  useSavedPosition(spaceId, account.actorId, scroller, rows)

  // The same frame as with content, to avoid a layout shift.
  if (status !== 'ready') {
    return (
      <div className={styles.frame}>
        <div className={styles.loading}>
          {status === 'failed' ? <Failure history={history} /> : <Skeleton rows={6} />}
        </div>
      </div>
    )
  }
  const toLines = () => scroller.current?.focus({ preventScroll: true })
  const targetId = destination.top === null ? destination.eventId : null
  const line = lineOf({ outbox, names, actions, selected, targetId, toggle })
  return (
    <div className={styles.frame}>
      <Notices history={history} rows={rows} unreadAfter={unreadAfter} onLeave={toLines} />
      <section
        ref={scroller}
        className={styles.scroller}
        role="log"
        aria-label={historyTexts.label(name)}
        aria-live={isAtEnd ? 'polite' : 'off'}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be focusable
        tabIndex={0}
        {...keyboard}
      >
        <div className={styles.edge}>
          {hasOlder || acts.from !== null
            ? historyTexts.loadingOlder
            : rows.length > 0
              ? historyTexts.beginningOf(name)
              : ''}
        </div>
        {rows.length === 0 && <EmptyHistory spaceId={spaceId} canWrite={canWrite} />}
        <UnreadCount value={unread?.count ?? 0}>
          {isPrinting ? (
            rows.map(line)
          ) : (
            <Virtualizer
              key={destination.serial}
              ref={list}
              scrollRef={scroller}
              data={rows}
              shift={shift}
              startMargin={EDGE_PX}
              bufferSize={600}
              // The selected line may hold the focus or a dialog: it stays mounted.
              keepMounted={selectedIndex === -1 ? NONE : [selectedIndex]}
              onScroll={() => {
                scrolling.onScroll()
                lookSoon()
              }}
              onResize={scrolling.onResize}
            >
              {line}
            </Virtualizer>
          )}
        </UnreadCount>
        <div className={styles.foot} />
      </section>
      {(!isAtEnd || hasNewer) && (
        <ToNewest
          unseen={unseen}
          onClick={() => {
            toLines()
            scrolling.toNewest()
          }}
        />
      )}
    </div>
  )
}

interface RowsInput {
  readonly history: History
  readonly outgoing: readonly Outgoing[]
  readonly unreadAfter: string | null
}

/** Returns the rows of a history: folded on a screen, and all of them on paper, which has no buttons to expand them. */
function useRows({ history, outgoing, unreadAfter }: RowsInput) {
  const { account } = useSession()
  const { events, acts, destination, hasNewer, hasOlder } = useCell(history.state)
  const isPrinting = useIsPrinting()
  const { opened, toggle } = useOpenTranscripts(history, destination)
  const rows = useMemo(() => {
    const { actorId } = account
    const rows = rowsOf({ events, acts, outgoing, isAtStart: !hasOlder, isAtTail: !hasNewer, unreadAfter, actorId })
    if (isPrinting) return rows
    return foldParticipants(foldTranscripts(foldThreads(rows, account), { actorId, opened }))
  }, [events, acts, outgoing, hasOlder, hasNewer, unreadAfter, account, opened, isPrinting])
  return { rows, isPrinting, toggle }
}

interface LineOptions extends Pick<HistoryViewProps, 'outbox' | 'names' | 'actions'> {
  readonly selected: string | null
  /** The event that a link leads to. */
  readonly targetId: string | null
  readonly toggle: ReturnType<typeof useOpenTranscripts>['toggle']
}

/** Returns a function that renders a row. */
const lineOf =
  ({ outbox, names, actions, selected, targetId, toggle }: LineOptions) =>
  (row: Row) => {
    const { key } = row
    if (row.kind === 'outgoing') return <OutgoingItem key={key} outgoing={row.outgoing} outbox={outbox} />
    const isSelected = key === selected
    if (row.kind === 'act') return <ActItem key={key} row={row} names={names} isSelected={isSelected} />
    if (row.kind === 'transcript')
      return <TranscriptItem key={key} row={row} onToggle={toggle} isSelected={isSelected} />
    const shared = { names, actions, isSelected }
    if (row.kind === 'event') return <EventItem key={key} row={row} {...shared} isTarget={key === targetId} />
    return <ThreadItem key={key} row={row} {...shared} targetId={representsEvent(row, targetId) ? targetId : null} />
  }

interface ToNewestProps {
  /** The number of events below that were not seen. */
  readonly unseen: number
  readonly onClick: () => void
}

function ToNewest({ unseen, onClick }: ToNewestProps) {
  const { newBelow, toNewest } = historyTexts
  return (
    <div className={styles.toNewest} data-unprinted>
      <Button
        icon="arrowDown"
        onClick={onClick}
        aria-label={unseen > 0 ? `${newBelow(unseen)}: ${toNewest}` : undefined}
      >
        {unseen > 0 ? newBelow(unseen) : toNewest}
      </Button>
    </div>
  )
}

function Failure({ history }: { readonly history: History }) {
  const { error } = useCell(history.state)
  const isUnknown = hasStatus(error, 404)
  return (
    <ErrorNote
      error={error}
      onRetry={() => void (isUnknown ? history.toNewest() : history.tryAgain())}
      retry={isUnknown ? historyTexts.toNewest : undefined}
    />
  )
}
