import { type RefObject, useLayoutEffect, useRef } from 'react'
import { eventsOf } from './row-events'
import type { Row } from './rows'

/** A scroll position in the history of a space. */
export interface ScrollPosition {
  /** The first visible event, and its distance from the top edge in pixels. */
  readonly eventId: string
  readonly top: number
}

/** The positions of spaces that were left above their end, until the page closes. */
const positions = new Map<string, ScrollPosition>()

const keyOf = (actorId: string, spaceId: string) => `${actorId} ${spaceId}`

/** Returns the position at which the reader left; null for the end. */
export const savedPosition = (actorId: string, spaceId: string): ScrollPosition | null =>
  positions.get(keyOf(actorId, spaceId)) ?? null

/** The distance from the bottom that counts as the end. */
const AT_END_PX = 32

/** Saves the scroll position when the history unmounts. */
export function useSavedPosition(
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
      const place = scroller.current && positionOf(scroller.current, latest.current)
      if (place) positions.set(key, place)
      else positions.delete(key)
    },
    [actorId, spaceId, scroller],
  )
}

function positionOf(scroller: HTMLElement, rows: readonly Row[]): ScrollPosition | null {
  if (scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < AT_END_PX) return null
  const edge = scroller.getBoundingClientRect().top
  for (const line of scroller.querySelectorAll<HTMLElement>('article[id^="event-"]')) {
    const { top, bottom } = line.getBoundingClientRect()
    if (bottom <= edge) continue
    // Acts are lines, too, but only events are jump targets.
    const row = rows.find(({ key }) => `event-${key}` === line.id)
    const event = row && eventsOf(row)[0]
    if (event) return { eventId: event.event_id, top: top - edge }
  }
  return null
}
