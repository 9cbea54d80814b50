import { PAGES } from '@collab-spaces/client'
import { useRead } from './call'

/** The newest messages per speaker, at most as many as the API returns. */
const MAX_EVENTS = PAGES.activity.max
/** The number of bars that fit a narrow panel. */
const BUCKETS = 96
const REFETCH_INTERVAL_MS = 60_000

/** Returns the speakers of a space in a period up to now, with counts, buckets and newest events. */
export const useActivity = (spaceId: string, windowMs: number) =>
  useRead(
    ['activity', spaceId, windowMs],
    (client, how) => {
      const since = new Date(Date.now() - windowMs).toISOString()
      return client.activity.get.query({ space_id: spaceId, since, max_events: MAX_EVENTS, buckets: BUCKETS }, how)
    },
    { refetchInterval: REFETCH_INTERVAL_MS },
  )
