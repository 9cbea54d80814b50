import { refresh, useChange, useRead } from './call'

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

export const useStartThread = (spaceId: string, eventId: string) =>
  useChange(
    (client, subject: string) => client.thread.start.mutate({ space_id: spaceId, parent_event_id: eventId, subject }),
    refresh(threadKey(spaceId, eventId)),
  )

/** An event says the same for good, unless the operator erases it: that is to be seen within this time. */
const EVENT_EVERY_MS = 5 * 60_000

/** One event, such as the one that a thread is about. */
export const useEvent = (spaceId: string, eventId: string | null) =>
  useRead(
    ['event', spaceId, eventId],
    (client, how) => client.event.get.query({ space_id: spaceId, event_id: eventId ?? '' }, how),
    { enabled: eventId !== null, staleTime: EVENT_EVERY_MS, refetchInterval: EVENT_EVERY_MS },
  )
