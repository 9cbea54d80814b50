import type { Client, Event } from '@collab-spaces/client'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { useInterval, useRead } from './call'

/** An event with its neighbours in its thread or space. */
export interface Surroundings {
  readonly events: readonly Event[]
  /** Whether later events exist. */
  readonly hasMore: boolean
}

const BEFORE = 4
const AFTER = 20

export const surroundingsKey = (spaceId: string) => ['surroundings', spaceId] as const

const REFETCH_INTERVAL_MS = 15_000

export const useSurroundings = ({ space_id, event_id, thread_id }: Event) =>
  useRead(
    [...surroundingsKey(space_id), event_id],
    (client, how) =>
      thread_id === null
        ? inSpace(client, { space_id, event_id }, how)
        : inThread(client, { space_id, thread_id, event_id }, how),
    { refetchInterval: useInterval(REFETCH_INTERVAL_MS) },
  )

/** Refetches surroundings after a new event in a space, unless they are already complete. */
export function refetchSurroundings(
  cache: QueryClient,
  spaceId: string,
  readAgain: (queryKey: QueryKey) => void,
): void {
  const queries = cache.getQueryCache().findAll({ queryKey: surroundingsKey(spaceId), type: 'active' })
  for (const { queryKey, state } of queries) {
    const { data } = state as { readonly data: Surroundings | undefined }
    if (data?.hasMore !== true) readAgain(queryKey)
  }
}

type How = { readonly signal: AbortSignal }

async function inSpace(client: Client, place: { space_id: string; event_id: string }, how: How): Promise<Surroundings> {
  const { space_id, event_id } = place
  const [before, event, after] = await Promise.all([
    client.event.list.query({ space_id, before: event_id, limit: BEFORE }, how),
    client.event.get.query({ space_id, event_id }, how),
    client.event.list.query({ space_id, since: event_id, limit: AFTER }, how),
  ])
  return { events: [...before, event, ...after], hasMore: after.length === AFTER }
}

/** Includes the event on which the thread starts, if any. */
async function inThread(
  client: Client,
  { space_id, thread_id, event_id }: { space_id: string; thread_id: string; event_id: string },
  how: How,
): Promise<Surroundings> {
  const { thread, events } = await client.thread.get.query({ space_id, event_id: thread_id }, how)
  const { parent_event_id } = thread
  const anchor = parent_event_id && (await client.event.get.query({ space_id, event_id: parent_event_id }, how))
  const at = Math.max(
    0,
    events.findIndex((event) => event.event_id === event_id),
  )
  const around = events.slice(Math.max(0, at - BEFORE), at + 1 + AFTER)
  return { events: anchor ? [anchor, ...around] : around, hasMore: at + 1 + AFTER < events.length }
}
