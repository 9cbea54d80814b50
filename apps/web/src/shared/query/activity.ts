import { PAGES } from '@collab-spaces/client'
import { useRead } from './call'

/** As many of the newest messages of each speaker as the service gives. */
const MAX_EVENTS = PAGES.activity.max
/** As many bars as a narrow panel can show. */
const BUCKETS = 96
const EVERY_MS = 60_000

/** The speakers of a space in the last so many milliseconds: how much they said, and when, and the newest of it. */
export const useActivity = (spaceId: string, windowMs: number) =>
  useRead(
    ['activity', spaceId, windowMs],
    (client, how) => {
      const since = new Date(Date.now() - windowMs).toISOString()
      return client.activity.get.query({ space_id: spaceId, since, max_events: MAX_EVENTS, buckets: BUCKETS }, how)
    },
    { refetchInterval: EVERY_MS },
  )
