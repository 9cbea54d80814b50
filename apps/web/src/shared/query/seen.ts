import type { RouterOutputs, Space } from '@collab-spaces/client'
import type { QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Cell } from '../cell'
import { useSession } from '../session/session'
import { useChange } from './call'
import { patchSpace, refetchLoadingLists } from './space-cache'

export type SeenMark = Pick<RouterOutputs['seen']['mark'], 'seen_event_id' | 'unread_count'>

/** Fields of a space that change with its events and its readers. */
type Progress = SeenMark & Partial<Pick<Space, 'event_count' | 'last_event_at'>>

/** The space whose newest event this tab shows. Its unread count is 0 here. */
export const visibleEnd = new Cell<string | null>(null)

/**
 * Updates the counts of a space in all queries, and refetches lists that are loading. An event that arrives in the
 * visible history counts as seen, although the server learns that a moment later.
 */
export function setProgress(cache: QueryClient, spaceId: string, update: Progress): void {
  const progress = visibleEnd.value === spaceId ? { ...update, unread_count: 0 } : update
  patchSpace(cache, spaceId, () => progress)
  void refetchLoadingLists(cache)
}

/** Marks a space as read, or its newest message of another actor as unread. */
export const useChangeSeen = (spaceId: string) =>
  useChange(
    (client, isRead: boolean) => client.seen[isRead ? 'mark' : 'unmark'].mutate({ space_id: spaceId }),
    (cache, { space_id: _, ...progress }) => setProgress(cache, spaceId, progress),
  )

/** Reports to the server how far a space was seen. Ignores failures, as the next report covers more. */
export function useMarkSeen(spaceId: string): (eventId: string) => Promise<SeenMark | null> {
  const { client } = useSession()
  return useMemo(
    () => (event_id) => client.seen.mark.mutate({ space_id: spaceId, event_id }).catch(() => null),
    [client, spaceId],
  )
}
