import type { Event, SpaceDetails } from '@collab-spaces/client'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { setProgress, useMarkSeen } from '../../shared/query/seen'
import { BEGINNING } from './source'

/** The unread events of a space at the start of a visit. */
export interface Unread {
  /** The last read event, or the `BEGINNING`; null if nothing is unread. */
  readonly after: string | null
  readonly count: number
}

const unreadOf = ({ seen_event_id, unread_count }: Pick<SpaceDetails, 'seen_event_id' | 'unread_count'>): Unread => ({
  after: unread_count > 0 ? (seen_event_id ?? BEGINNING) : null,
  count: unread_count,
})

/** Returns the unread events at the start of the visit, undefined until they load, and callbacks for what comes later. */
export function useReadMark(spaceId: string, space: SpaceDetails | undefined) {
  const cache = useQueryClient()
  const mark = useMarkSeen(spaceId)
  const [known, setUnread] = useState<Unread>()
  const unread = known ?? (space && unreadOf(space))
  if (known === undefined && unread) setUnread(unread)
  const onSeen = useCallback(
    async ({ event_id }: Event, isNewest: boolean) => {
      if (isNewest) setProgress(cache, spaceId, { seen_event_id: event_id, unread_count: 0 })
      const seen = await mark(event_id)
      if (seen) setProgress(cache, spaceId, seen)
    },
    [cache, mark, spaceId],
  )
  return { unread, setUnread, onSeen }
}
