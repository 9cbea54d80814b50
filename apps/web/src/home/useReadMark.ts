import type { Event, SpaceDetails } from '@collab-spaces/client'
import { useCallback, useState } from 'react'
import type { History } from '../history/history'
import { useSession } from '../session/session'
import { markRead, readMark } from './unread'

/** Where the reader was in a space before this visit, and what notes how far they come now. */
export function useReadMark(spaceId: string, space: SpaceDetails | undefined, history: History) {
  const { actorId } = useSession().account
  const [unreadAfter] = useState(() => readMark(actorId, spaceId)?.eventId ?? null)
  const { event_count: counted, last_event_at: countedTo } = space ?? {}
  const onRead = useCallback(
    (newest: Event | null) => {
      if (counted === undefined) return
      // Some may have come while the space was being counted.
      const later = history.state.value.events.filter(({ timestamp }) => timestamp > (countedTo ?? ''))
      markRead(actorId, spaceId, { eventId: newest?.event_id ?? null, count: counted + later.length })
    },
    [actorId, spaceId, history, counted, countedTo],
  )
  return { unreadAfter, onRead }
}
