import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSession } from '../session/session'

const threadKey = (spaceId: string, eventId: string) => ['thread', spaceId, eventId] as const

/** A thread by its own id or that of the event it is about; null while that event has none. */
export function useThread(spaceId: string, eventId: string) {
  const { client } = useSession()
  return useQuery({
    queryKey: threadKey(spaceId, eventId),
    queryFn: async ({ signal }) => {
      try {
        return await client.thread.get.query({ space_id: spaceId, event_id: eventId }, { signal })
      } catch (error) {
        if (isUnknown(error)) return null
        throw error
      }
    },
  })
}

const isUnknown = (error: unknown) => (error as { status?: unknown }).status === 404

export function useStartThread(spaceId: string, eventId: string) {
  const { client } = useSession()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (subject: string) =>
      client.thread.start.mutate({ space_id: spaceId, parent_event_id: eventId, subject }),
    onSuccess: () => cache.invalidateQueries({ queryKey: threadKey(spaceId, eventId) }),
  })
}

/** An event says the same for good, unless the operator erases it: that is to be seen within this time. */
const EVENT_EVERY_MS = 5 * 60_000

/** One event, such as the one that a thread is about. */
export function useEvent(spaceId: string, eventId: string | null) {
  const { client } = useSession()
  return useQuery({
    queryKey: ['event', spaceId, eventId],
    queryFn: ({ signal }) => client.event.get.query({ space_id: spaceId, event_id: eventId ?? '' }, { signal }),
    enabled: eventId !== null,
    staleTime: EVENT_EVERY_MS,
    refetchInterval: EVENT_EVERY_MS,
  })
}
