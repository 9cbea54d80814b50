import type { Event } from '@collab-spaces/client'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { useIsVisible } from '../../shared/browser/visible'
import { endInSight } from '../../shared/query/seen'
import type { HistoryState } from './history'
import { eventsOf } from './row-events'
import type { Row } from './rows'

/** An event in sight for so long was seen. */
const LOOKED_AT_MS = 500
/** How often it is told at most: readers scroll, and events arrive, more often than that. */
const EVERY_MS = 2_000

interface Sight {
  readonly state: HistoryState
  readonly rows: readonly Row[]
  readonly isAtEnd: boolean
  readonly scroller: RefObject<HTMLElement | null>
  /** Called with the last event that was seen, and whether it is the newest there is. */
  readonly onSeen: (event: Event, isNewest: boolean) => void
}

/** Tells how far the history was seen. Returns a function to be called when it has scrolled. */
export function useSeen(sight: Sight): () => void {
  const { state, rows, isAtEnd } = sight
  const isVisible = useIsVisible()
  const latest = useRef(sight)
  useEffect(() => {
    latest.current = sight
  })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const told = useRef<{ readonly event: Event; readonly at: number } | null>(null)

  const look = useCallback(() => {
    timer.current = undefined
    const { state, onSeen } = latest.current
    if (document.visibilityState !== 'visible' || state.status !== 'ready') return
    const event = lastInSight(latest.current)
    const before = told.current?.event
    // In one batch, events have the same time.
    if (!event || event === before || (before && event.timestamp < before.timestamp)) return
    told.current = { event, at: performance.now() }
    onSeen(event, !state.hasNewer && event === state.events.at(-1))
  }, [])
  const lookSoon = useCallback(() => {
    const next = (told.current?.at ?? Number.NEGATIVE_INFINITY) + EVERY_MS
    timer.current ??= setTimeout(look, Math.max(LOOKED_AT_MS, next - performance.now()))
  }, [look])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these may bring other lines into sight
  useEffect(lookSoon, [lookSoon, rows, isAtEnd, isVisible, state.status])
  const spaceAtEnd = isVisible && isAtEnd && !state.hasNewer ? (state.events.at(-1)?.space_id ?? null) : null
  useEffect(() => {
    endInSight.set(spaceAtEnd)
    return () => endInSight.set(null)
  }, [spaceAtEnd])
  // A reader who leaves sooner has seen the events, too. Their lines are still there.
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

/** The last event whose end is above the lower edge of the history. */
function lastInSight({ scroller, rows, isAtEnd }: Sight): Event | null {
  const edge = scroller.current?.getBoundingClientRect().bottom
  if (edge === undefined) return null
  let key: string | null = null
  for (const line of scroller.current?.querySelectorAll<HTMLElement>('article[id^="event-"]') ?? []) {
    if (isAtEnd || line.getBoundingClientRect().bottom <= edge + 1) key = line.id.slice('event-'.length)
  }
  // Acts are lines, too: what was said before them was seen with them.
  const at = rows.findIndex((row) => row.key === key)
  const row = rows.slice(0, at + 1).findLast((row) => eventsOf(row).length > 0)
  return (row && eventsOf(row).at(-1)) ?? null
}
