import type { Event, RouterOutputs } from '@collab-spaces/client'
import { type QueryClient, useInfiniteQuery } from '@tanstack/react-query'
import { useSession } from '../session/session'
import { useRead } from './call'
import { refetchChanged } from './changed'
import { discussionBegan } from './decision'

const threadKey = (spaceId: string, eventId: string) => ['thread', spaceId, eventId] as const
export const threadListKey = (spaceId: string) => threadKey(spaceId, 'all')

/** Returns a thread by its ID or that of the event or decision that it is about; null if that has none. */
export const useThread = (spaceId: string, eventId: string) =>
  useRead(threadKey(spaceId, eventId), async (client, how) => {
    // Most messages have no thread, and browsers log each 404 as an error.
    const [thread] = await client.thread.list.query({ space_id: spaceId, event_id: eventId, limit: 1 }, how)
    return thread ? client.thread.get.query({ space_id: spaceId, event_id: thread.thread_id }, how) : null
  })

type ThreadWithEvents = RouterOutputs['thread']['get']

const discussionKey = (spaceId: string) => ['discussion', spaceId] as const

/** Returns the number of messages in the discussion of a decision. */
export const useDiscussionCount = (spaceId: string, decisionId: string) =>
  useRead([...discussionKey(spaceId), decisionId], async (client, how) => {
    const [thread] = await client.thread.list.query({ space_id: spaceId, event_id: decisionId, limit: 1 }, how)
    return thread?.event_count ?? 0
  })

/** Adds arriving replies to cached threads. */
export function repliesArrived(cache: QueryClient, spaceId: string, replies: readonly Event[]): void {
  void refetchChanged(cache, { queryKey: discussionKey(spaceId) })
  discussionBegan(cache, spaceId, replies)
  for (const { queryKey, state } of cache.getQueryCache().findAll({ queryKey: ['thread', spaceId] })) {
    const { data } = state as { readonly data: ThreadWithEvents | null | undefined }
    const eventId = queryKey[2]
    if (eventId === 'all') continue
    // A response in flight may lack the replies, and a first reply creates the thread.
    const isUnsure = state.fetchStatus !== 'idle' || data === undefined
    // The first message about a decision replies to nothing.
    const hasBegun = data === null && replies.some(({ parent_event_id: id }) => id === null || id === eventId)
    if (isUnsure || hasBegun) void refetchChanged(cache, { queryKey })
    else if (data) cache.setQueryData(queryKey, withReplies(data, replies))
  }
}

function withReplies(data: ThreadWithEvents, replies: readonly Event[]): ThreadWithEvents {
  const known = new Set(data.events.map(({ event_id }) => event_id))
  const isNew = ({ event_id, thread_id }: Event) => thread_id === data.thread.thread_id && !known.has(event_id)
  const added = replies.filter(isNew)
  return added.length === 0 ? data : { ...data, events: [...data.events, ...added] }
}

const THREADS_AT_ONCE = 20

/** Returns the threads of a space in pages, by latest activity. */
export function useThreads(spaceId: string) {
  const { client } = useSession()
  return useInfiniteQuery({
    queryKey: threadListKey(spaceId),
    queryFn: ({ pageParam: before, signal }) =>
      client.thread.list.query({ space_id: spaceId, limit: THREADS_AT_ONCE, before }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.length === THREADS_AT_ONCE ? page.at(-1)?.thread_id : undefined),
    // A thread that became active meanwhile may be on two pages.
    select: ({ pages }) => [...new Map(pages.flat().map((thread) => [thread.thread_id, thread])).values()],
  })
}

/** Events are immutable, except for erasures, which show within this time. */
const EVENT_INTERVAL_MS = 5 * 60_000

/** Returns one event. */
export const useEvent = (spaceId: string, eventId: string | null) =>
  useRead(
    ['event', spaceId, eventId],
    (client, how) => client.event.get.query({ space_id: spaceId, event_id: eventId ?? '' }, how),
    { enabled: eventId !== null, staleTime: EVENT_INTERVAL_MS, refetchInterval: EVENT_INTERVAL_MS },
  )
