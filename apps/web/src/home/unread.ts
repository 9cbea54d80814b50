import type { Space } from '@collab-spaces/client'
import { useCallback } from 'react'
import { Cell, useCell } from '../cell'
import { useSession } from '../session/session'

/** How far somebody has read in a space on this device. */
export interface ReadMark {
  /** The newest event that was read; null in a space that had none. */
  readonly eventId: string | null
  /** How many events the space had then. */
  readonly count: number
}

type ReadMarks = Readonly<Record<string, ReadMark>>

const cells = new Map<string, Cell<ReadMarks>>()

const keyOf = (actorId: string) => `spaces.read ${actorId}`

function marksOf(actorId: string): Cell<ReadMarks> {
  const known = cells.get(actorId)
  if (known) return known
  const cell = new Cell(stored(actorId))
  cells.set(actorId, cell)
  // A space that was read in another tab was read.
  window.addEventListener('storage', ({ key }) => key === keyOf(actorId) && cell.set(stored(actorId)))
  return cell
}

function stored(actorId: string): ReadMarks {
  try {
    return JSON.parse(window.localStorage.getItem(keyOf(actorId)) ?? '{}') as ReadMarks
  } catch {
    return {}
  }
}

export const readMark = (actorId: string, spaceId: string): ReadMark | null => marksOf(actorId).value[spaceId] ?? null

/** The newest event of a space has been seen. */
export function markRead(actorId: string, spaceId: string, mark: ReadMark): void {
  const before = readMark(actorId, spaceId)
  if (before?.count === mark.count && before.eventId === mark.eventId) return
  const marks = { ...stored(actorId), [spaceId]: mark }
  window.localStorage.setItem(keyOf(actorId), JSON.stringify(marks))
  marksOf(actorId).set(marks)
}

/** How much of a space is new since it was last looked at. In a space that was never opened, nothing is. */
export function useUnread(): (space: Pick<Space, 'space_id' | 'event_count'>) => number {
  const { account } = useSession()
  const marks = useCell(marksOf(account.actorId))
  return useCallback(
    ({ space_id, event_count }) => {
      const mark = marks[space_id]
      return mark ? Math.max(0, event_count - mark.count) : 0
    },
    [marks],
  )
}
