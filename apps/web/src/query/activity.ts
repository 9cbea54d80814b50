import { PAGES } from '@collab-spaces/client'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../session/session'

/** As many of the newest messages of each speaker as the service gives. */
const MAX_EVENTS = PAGES.activity.max
const EVERY_MS = 30_000

/** Who said how much in a space in the last so many milliseconds, and the newest of it. */
export function useActivity(spaceId: string, windowMs: number) {
  const { client } = useSession()
  return useQuery({
    queryKey: ['activity', spaceId, windowMs],
    queryFn: ({ signal }) => {
      const since = new Date(Date.now() - windowMs).toISOString()
      return client.activity.get.query({ space_id: spaceId, since, max_events: MAX_EVENTS }, { signal })
    },
    refetchInterval: EVERY_MS,
  })
}
