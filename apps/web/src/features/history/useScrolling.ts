import { type RefObject, useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { VirtualizerHandle } from 'virtua'
import { useShortcut } from '../../shared/browser/shortcut'
import type { Outgoing } from '../composer/outbox'
import { BEFORE_UNREAD_PX, type History, type HistoryState, MAX_EVENTS } from './history'
import { representsEvent } from './row-events'
import type { Row } from './rows'
import { BEGINNING } from './source'
import type { Unread } from './useReadMark'

/** The distance from an end of the run at which more is loaded. */
const NEAR_PX = 1_200
/** The distance from the bottom that counts as the end. */
const AT_END_PX = 32
/** The time in which a stream that stands again has brought what it missed. */
const CATCH_UP_MS = 1_000
/** The browser clamps it to the end, whatever height the lines turn out to have. */
const BEYOND_THE_END = Number.MAX_SAFE_INTEGER

interface ScrollingOptions extends Pick<HistoryState, 'destination' | 'status' | 'connection'> {
  readonly history: History
  readonly rows: readonly Row[]
  readonly outgoing: readonly Outgoing[]
  readonly isInView: boolean
  /** Called on return to the history with what arrived out of view. */
  readonly onUnread: (unread: Unread) => void
}

/** Manages the scroll position: sticks to the end, jumps to destinations, and loads more near both ends. */
export function useScrolling(options: ScrollingOptions) {
  const { history, rows, outgoing, destination } = options
  const scroller = useRef<HTMLElement>(null)
  const list = useRef<VirtualizerHandle>(null)
  const [isAtEnd, setIsAtEnd] = useState(true)
  /** The last scroll position and height. */
  const last = useRef({ top: 0, height: 0 })
  /** The last event when the end went out of view, until the reader is back; else null. */
  const left = useRef<string | null>(null)

  const stayAtEnd = useCallback(() => {
    const element = scroller.current
    if (!element || !history.isAtEnd || history.state.value.hasNewer) return
    element.scrollTop = element.scrollHeight
    last.current = { top: element.scrollTop, height: element.scrollHeight }
  }, [history])

  const onScroll = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const { scrollTop: top, scrollHeight: height } = element
    const below = height - top - element.clientHeight
    // Added lines move the end away, removed ones reduce the height. Neither is the reader scrolling up.
    const hasScrolledUp = top < last.current.top && height >= last.current.height
    if (below < AT_END_PX) history.isAtEnd = left.current === null
    else if (hasScrolledUp || history.state.value.hasNewer) history.isAtEnd = false
    if (hasScrolledUp) left.current = null
    last.current = { top, height }
    if (below >= AT_END_PX) stayAtEnd()
    setIsAtEnd(history.isAtEnd)
    // If a full run is folded into so little height, loading at one end would only trim the other.
    const isFull =
      history.state.value.events.length >= MAX_EVENTS && element.scrollHeight < element.clientHeight + 2 * NEAR_PX
    if (isFull) return
    if (element.scrollTop < NEAR_PX) void history.loadOlder()
    if (below < NEAR_PX) void history.loadNewer()
  }, [history, stayAtEnd])

  // Folded rows may leave nothing to scroll, so that no scroll event would load more.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows may leave free space
  useEffect(() => {
    // The load that brought these rows is still completing.
    const frame = requestAnimationFrame(() => {
      const { current } = scroller
      if (current && current.scrollHeight <= current.clientHeight) onScroll()
    })
    return () => cancelAnimationFrame(frame)
  }, [rows, onScroll])

  const onResize = () => {
    stayAtEnd()
    onScroll()
  }

  const toNewest = useCallback(() => {
    left.current = null
    if (history.state.value.hasNewer) void history.toNewest()
    else {
      history.isAtEnd = true
      // By the list itself, which would otherwise continue an earlier scroll while it measures lines.
      list.current?.scrollTo(BEYOND_THE_END)
      stayAtEnd()
    }
  }, [history, stayAtEnd])

  // biome-ignore lint/correctness/useExhaustiveDependencies: lines added or removed at either end move it
  useLayoutEffect(stayAtEnd, [rows[0]?.key, rows.at(-1)?.key, stayAtEnd])

  useReturn({ ...options, scroller, left, onScroll })

  // The reader's own new message scrolls to the end. Other messages and discarded ones do not.
  const writtenAt = outgoing.at(-1)?.sentAt ?? ''
  const lastWrittenAt = useRef(writtenAt)
  useEffect(() => {
    if (writtenAt <= lastWrittenAt.current) return
    lastWrittenAt.current = writtenAt
    toNewest()
  }, [writtenAt, toNewest])

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new destination moves the reader
  useLayoutEffect(() => {
    left.current = null
    const { eventId, top } = destination
    if (eventId === null) return stayAtEnd()
    const index = eventId === BEGINNING ? 0 : rows.findIndex((row) => representsEvent(row, eventId))
    if (index === -1) return
    list.current?.scrollToIndex(index, top === null ? { align: 'center' } : { align: 'start', offset: -top })
  }, [destination.serial])

  useShortcut(
    'End',
    // In a panel, End belongs to the panel.
    useCallback(({ target }) => !isInPanel(target) && toNewest(), [toNewest]),
  )
  const shift = useHasGrownAtStart(rows, destination.serial)
  return { scroller, list, isAtEnd, shift, onScroll, onResize, toNewest }
}

interface ReturnOptions extends ScrollingOptions {
  readonly scroller: RefObject<HTMLElement | null>
  readonly left: RefObject<string | null>
  readonly onScroll: () => void
}

/** Does not stick to the end while it is out of view, and leads on return to the first line that arrived meanwhile. */
function useReturn(options: ReturnOptions): void {
  const { history, isInView, destination, status, connection, scroller, left, onScroll } = options
  const onUnread = useEffectEvent(options.onUnread)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a jump while hidden leads to another place
  useEffect(() => {
    if (status !== 'ready') return
    if (!isInView && history.isAtEnd) {
      left.current = history.state.value.events.at(-1)?.event_id ?? BEGINNING
      history.isAtEnd = false
    }
    if (!isInView || connection !== 'live') return
    const timer = setTimeout(() => {
      const after = left.current
      if (after === null || !scroller.current) return
      left.current = null
      const { unseen } = history.state.value
      if (unseen > 0) onUnread({ after, count: unseen })
      scroller.current.scrollTop += scroller.current.clientHeight - BEFORE_UNREAD_PX
      onScroll()
    }, CATCH_UP_MS)
    return () => clearTimeout(timer)
  }, [history, isInView, status, connection, destination.serial, scroller, left, onScroll])
}

const isInPanel = (target: EventTarget | null): boolean => target instanceof Element && target.closest('aside') !== null

/** Returns whether lines were added or removed at the start: then the list keeps its position from the end. */
function useHasGrownAtStart(rows: readonly Row[], serial: number): boolean {
  const before = useRef({ first: rows[0]?.key, serial })
  const first = rows[0]?.key
  const { current } = before
  useLayoutEffect(() => {
    before.current = { first, serial }
  }, [first, serial])
  return current.serial === serial && current.first !== undefined && current.first !== first
}
