import { type RefObject, useLayoutEffect, useRef } from 'react'
import { eventsOf } from './row-events'
import type { Row } from './rows'

/** Where a reader was in the history of a space. */
export interface HistoryPlace {
  /** The first line that was in sight, and how many pixels below the edge it began. */
  readonly eventId: string
  readonly top: number
}

/** Of each space that was left while reading above its end, for as long as the page is open. */
const places = new Map<string, HistoryPlace>()

const keyOf = (actorId: string, spaceId: string) => `${actorId} ${spaceId}`

/** Where the reader was when they left; null if they were at the end. */
export const placeIn = (actorId: string, spaceId: string): HistoryPlace | null =>
  places.get(keyOf(actorId, spaceId)) ?? null

/** As close to the bottom as counts as being there. */
const AT_END_PX = 32

/** Notes where the reader is when the history goes away. */
export function usePlace(
  spaceId: string,
  actorId: string,
  scroller: RefObject<HTMLElement | null>,
  rows: readonly Row[],
): void {
  const latest = useRef(rows)
  useLayoutEffect(() => {
    latest.current = rows
  })
  useLayoutEffect(
    () => () => {
      const key = keyOf(actorId, spaceId)
      const place = scroller.current && placeOf(scroller.current, latest.current)
      if (place) places.set(key, place)
      else places.delete(key)
    },
    [actorId, spaceId, scroller],
  )
}

function placeOf(scroller: HTMLElement, rows: readonly Row[]): HistoryPlace | null {
  if (scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < AT_END_PX) return null
  const edge = scroller.getBoundingClientRect().top
  for (const line of scroller.querySelectorAll<HTMLElement>('article[id^="event-"]')) {
    const { top, bottom } = line.getBoundingClientRect()
    if (bottom <= edge) continue
    // Acts are lines, too, but only an event can be gone to.
    const row = rows.find(({ key }) => `event-${key}` === line.id)
    const event = row && eventsOf(row)[0]
    if (event) return { eventId: event.event_id, top: top - edge }
  }
  return null
}
