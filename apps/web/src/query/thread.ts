import { useInfiniteQuery } from '@tanstack/react-query'
import { useSession } from '../session/session'
import { useRead } from './call'

const threadKey = (spaceId: string, eventId: string) => ['thread', spaceId, eventId] as const

/** A thread by its own id or that of the event it is about; null while that event has none. */
export const useThread = (spaceId: string, eventId: string) =>
  useRead(threadKey(spaceId, eventId), async (client, how) => {
    try {
      return await client.thread.get.query({ space_id: spaceId, event_id: eventId }, how)
    } catch (error) {
      if (isUnknown(error)) return null
      throw error
    }
  })

const isUnknown = (error: unknown) => (error as { status?: unknown }).status === 404

const THREADS_AT_ONCE = 20

/** The threads of a space, those with the newest activity first, page by page. Read again with each reply that arrives. */
export function useThreads(spaceId: string) {
  const { client } = useSession()
  return useInfiniteQuery({
    queryKey: ['thread', spaceId, 'all'],
    queryFn: ({ pageParam: before, signal }) =>
      client.thread.list.query({ space_id: spaceId, limit: THREADS_AT_ONCE, before }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.length === THREADS_AT_ONCE ? page.at(-1)?.thread_id : undefined),
    // One that became active meanwhile has moved to the front, and may stand on two pages.
    select: ({ pages }) => [...new Map(pages.flat().map((thread) => [thread.thread_id, thread])).values()],
  })
}

/** An event says the same for good, unless the operator erases it: that is to be seen within this time. */
const EVENT_EVERY_MS = 5 * 60_000

/** One event, such as the one that a thread is about. */
export const useEvent = (spaceId: string, eventId: string | null) =>
  useRead(
    ['event', spaceId, eventId],
    (client, how) => client.event.get.query({ space_id: spaceId, event_id: eventId ?? '' }, how),
    { enabled: eventId !== null, staleTime: EVENT_EVERY_MS, refetchInterval: EVENT_EVERY_MS },
  )
