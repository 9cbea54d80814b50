import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { VirtualizerHandle } from 'virtua'
import { useShortcut } from '../../shared/browser/shortcut'
import type { Outgoing } from '../composer/outbox'
import { type History, type HistoryState, MAX_EVENTS } from './history'
import { holds } from './row-events'
import type { Row } from './rows'
import { BEGINNING } from './source'

/** How close to an end of what is loaded the reader may come before more is loaded. */
const NEAR_PX = 1_200
/** As close to the bottom as counts as being there. */
const AT_END_PX = 32
/** Where the browser stops at the end, however high the lines turn out to be. */
const BEYOND_THE_END = Number.MAX_SAFE_INTEGER

interface Shown extends Pick<HistoryState, 'destination'> {
  readonly history: History
  readonly rows: readonly Row[]
  readonly outgoing: readonly Outgoing[]
}

/** Where the reader is in the history: stays at its end, goes to destinations, and loads more near both ends. */
export function useScrolling({ history, rows, outgoing, destination }: Shown) {
  const scroller = useRef<HTMLElement>(null)
  const list = useRef<VirtualizerHandle>(null)
  const [isAtEnd, setIsAtEnd] = useState(true)
  /** Where the history stood, and how high it was. */
  const last = useRef({ top: 0, height: 0 })

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
    // Lines that come move the end away, those that go move the history up and make it less high: no reader has done that.
    const hasScrolledUp = top < last.current.top && height >= last.current.height
    if (below < AT_END_PX) history.isAtEnd = true
    else if (hasScrolledUp || history.state.value.hasNewer) history.isAtEnd = false
    last.current = { top, height }
    if (below >= AT_END_PX) stayAtEnd()
    setIsAtEnd(history.isAtEnd)
    // Where all that may be kept stands folded in so little room, what is loaded at one end would only be let go at the other.
    const isFull =
      history.state.value.events.length >= MAX_EVENTS && element.scrollHeight < element.clientHeight + 2 * NEAR_PX
    if (isFull) return
    if (element.scrollTop < NEAR_PX) void history.loadOlder()
    if (below < NEAR_PX) void history.loadNewer()
  }, [history, stayAtEnd])

  // Folded, what was loaded may leave nothing to scroll, by which more would be loaded.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows may leave more room
  useEffect(() => {
    // The page that has brought these rows is still being taken in.
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
    if (history.state.value.hasNewer) void history.toNewest()
    else {
      history.isAtEnd = true
      // By the list's own means: what it was asked before, it would otherwise still pursue while lines are measured.
      list.current?.scrollTo(BEYOND_THE_END)
      stayAtEnd()
    }
  }, [history, stayAtEnd])

  // biome-ignore lint/correctness/useExhaustiveDependencies: lines that come or go at either end move it
  useLayoutEffect(stayAtEnd, [rows[0]?.key, rows.at(-1)?.key, stayAtEnd])

  // One's own message is to be seen, wherever one was reading. Others' moves nobody, nor does one that was given up.
  const writtenAt = outgoing.at(-1)?.sentAt ?? ''
  const lastWrittenAt = useRef(writtenAt)
  useEffect(() => {
    if (writtenAt <= lastWrittenAt.current) return
    lastWrittenAt.current = writtenAt
    toNewest()
  }, [writtenAt, toNewest])

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new destination takes the reader elsewhere
  useLayoutEffect(() => {
    const { eventId, top } = destination
    if (eventId === null) return stayAtEnd()
    const index = eventId === BEGINNING ? 0 : rows.findIndex((row) => holds(row, eventId))
    if (index === -1) return
    list.current?.scrollToIndex(index, top === null ? { align: 'center' } : { align: 'start', offset: -top })
  }, [destination.serial])

  useShortcut(
    'End',
    // A panel has an end of its own.
    useCallback(({ target }) => !isInPanel(target) && toNewest(), [toNewest]),
  )
  const shift = useHasGrownAtStart(rows, destination.serial)
  return { scroller, list, isAtEnd, shift, onScroll, onResize, toNewest }
}

const isInPanel = (target: EventTarget | null): boolean => target instanceof Element && target.closest('aside') !== null

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
