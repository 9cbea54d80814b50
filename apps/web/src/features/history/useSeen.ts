import type { Event } from '@collab-spaces/client'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { hasReader } from '../../shared/browser/visible'
import { useCell } from '../../shared/cell'
import { visibleEnd } from '../../shared/query/seen'
import { onReached } from '../../shared/session/connectivity'
import { throughRevisions } from './fold-revisions'
import type { History, HistoryState } from './history'
import { eventsOf } from './row-events'
import type { Row } from './rows'

/** An event visible for this long counts as seen. */
const SEEN_DELAY_MS = 500
/** Throttles reports: readers scroll, and events arrive, more often. */
const REPORT_INTERVAL_MS = 2_000

interface Sight {
  readonly history: History
  readonly state: HistoryState
  readonly rows: readonly Row[]
  readonly isAtEnd: boolean
  readonly isInView: boolean
  readonly scroller: RefObject<HTMLElement | null>
  /** Called with the last seen event, and whether it is the newest. */
  readonly onSeen: (event: Event, isNewest: boolean) => void
}

/** Reports how far the history was seen. Returns a function to call after scrolling. */
export function useSeen(sight: Sight): () => void {
  const { state, rows, isAtEnd } = sight
  const isVisible = useCell(hasReader) && sight.isInView
  const latest = useRef(sight)
  useEffect(() => {
    latest.current = sight
  })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const reported = useRef<{ readonly event: Event; readonly at: number } | null>(null)

  const look = useCallback(() => {
    timer.current = undefined
    const { state, isInView, onSeen } = latest.current
    if (!isInView || !hasReader.value || state.status !== 'ready') return
    const visible = lastVisibleEvent(latest.current)
    const rowIds = new Set(latest.current.rows.flatMap((row) => eventsOf(row).map(({ event_id }) => event_id)))
    const event = visible && throughRevisions(state.events, visible, rowIds)
    const before = reported.current?.event
    // Events of one batch share a timestamp.
    if (!event || event === before || (before && event.timestamp < before.timestamp)) return
    reported.current = { event, at: performance.now() }
    onSeen(event, !state.hasNewer && event === state.events.at(-1))
  }, [])
  const lookSoon = useCallback(() => {
    const next = (reported.current?.at ?? Number.NEGATIVE_INFINITY) + REPORT_INTERVAL_MS
    timer.current ??= setTimeout(look, Math.max(SEEN_DELAY_MS, next - performance.now()))
  }, [look])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these may make other lines visible
  useEffect(lookSoon, [lookSoon, rows, isAtEnd, isVisible, state.status])
  useEffect(
    () =>
      onReached(() => {
        // The last report may have been lost.
        reported.current = null
        lookSoon()
      }),
    [lookSoon],
  )
  const spaceAtEnd = isVisible && isAtEnd && !state.hasNewer ? (state.events.at(-1)?.space_id ?? null) : null
  useEffect(() => {
    visibleEnd.set(spaceAtEnd)
    return () => visibleEnd.set(null)
  }, [spaceAtEnd])
  // Reports immediately when the reader leaves, while the lines are still mounted.
  useLayoutEffect(
    () => () => {
      if (timer.current === undefined) return
      clearTimeout(timer.current)
      look()
    },
    [look],
  )
  return lookSoon
}

/** Returns the last event whose end is above the bottom edge of the history. */
function lastVisibleEvent({ history, scroller, rows }: Sight): Event | null {
  const edge = scroller.current?.getBoundingClientRect().bottom
  if (edge === undefined) return null
  let key: string | null = null
  for (const line of scroller.current?.querySelectorAll<HTMLElement>('article[id^="event-"]') ?? []) {
    if (history.isAtEnd || line.getBoundingClientRect().bottom <= edge + 1) key = line.id.slice('event-'.length)
  }
  // Acts are lines, too: a seen act implies that the events before it were seen.
  const at = rows.findIndex((row) => row.key === key)
  const row = rows.slice(0, at + 1).findLast((row) => eventsOf(row).length > 0)
  return (row && eventsOf(row).at(-1)) ?? null
}
