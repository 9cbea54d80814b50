import type { RouterOutputs, Space } from '@collab-spaces/client'
import type { QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Cell } from '../cell'
import { useSession } from '../session/session'
import { patchSpace, readListsUnderWayAgain } from './space-cache'

export type Seen = Pick<RouterOutputs['seen']['mark'], 'seen_event_id' | 'unread_count'>

/** Fields of a space that change with its events and its readers. */
type Progress = Seen & Partial<Pick<Space, 'event_count' | 'last_event_at'>>

/** The space whose newest event is before somebody's eyes in this tab: nothing of it is unread there. */
export const endInSight = new Cell<string | null>(null)

/**
 * Updates how far a space is, and was seen, wherever it is shown. A list that is just being read may not know it. An
 * event that has just come is seen as it is shown: the server is told so a moment later.
 */
export function setProgress(cache: QueryClient, spaceId: string, told: Progress): void {
  const progress = endInSight.value === spaceId ? { ...told, unread_count: 0 } : told
  patchSpace(cache, spaceId, () => progress)
  void readListsUnderWayAgain(cache)
}

/** Tells the server how far a space was seen. A failure is no loss: the next time, more has been seen. */
export function useMarkSeen(spaceId: string): (eventId: string) => Promise<Seen | null> {
  const { client } = useSession()
  return useMemo(
    () => (event_id) => client.seen.mark.mutate({ space_id: spaceId, event_id }).catch(() => null),
    [client, spaceId],
  )
}
