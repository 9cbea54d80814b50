import type { RouterOutputs, Space, SpaceDetails } from '@collab-spaces/client'
import type { QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSession } from '../session/session'
import { SPACES, spaceKey } from './space'

export type Seen = Pick<RouterOutputs['seen']['mark'], 'seen_event_id' | 'unread_count'>

/** How far a space was seen, wherever it is shown. A list that is just being read may not know it. */
export function setSeen(cache: QueryClient, spaceId: string, { seen_event_id, unread_count }: Seen): void {
  const seen = { seen_event_id, unread_count }
  cache.setQueryData<SpaceDetails>(spaceKey(spaceId), (space) => space && { ...space, ...seen })
  cache.setQueriesData<readonly Space[]>({ queryKey: SPACES }, (spaces) =>
    spaces?.map((space) => (space.space_id === spaceId ? { ...space, ...seen } : space)),
  )
  if (cache.isFetching({ queryKey: SPACES }) > 0) void cache.invalidateQueries({ queryKey: SPACES })
}

/** Tells the server how far a space was seen. A failure is no loss: the next time, more has been seen. */
export function useMarkSeen(spaceId: string): (eventId: string) => Promise<Seen | null> {
  const { client } = useSession()
  return useMemo(
    () => (event_id) => client.seen.mark.mutate({ space_id: spaceId, event_id }).catch(() => null),
    [client, spaceId],
  )
}
