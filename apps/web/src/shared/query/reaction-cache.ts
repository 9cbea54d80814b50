import type { Client, Event } from '@collab-spaces/client'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { answered } from './changed'
import { spaceKey } from './space-cache'

export type Reactions = NonNullable<Event['reactions']>

const REACTIONS = 'reactions'

export const keyOf = (spaceId: string, eventId: string) => [REACTIONS, spaceId, eventId] as const

export const readReactions = (client: Client, [, space_id, event_id]: ReturnType<typeof keyOf>): Promise<Reactions> =>
  client.reaction.list.query({ space_id, event_id })

/** Reads the reactions that are in view again, and marks the others: of an event, a space, or all. */
export function reactionsChanged(cache: QueryClient, client: Client, spaceId?: string, eventId?: string | null): void {
  const prefix: QueryKey = [REACTIONS, spaceId, eventId].filter((part) => typeof part === 'string')
  for (const query of cache.getQueryCache().findAll({ queryKey: prefix })) {
    const queryKey = query.queryKey as ReturnType<typeof keyOf>
    const isInView = query.getObserversCount() > 0
    // What is kept again and again would fill the cache: most messages have no reactions, or their mark.
    if (!eventId && !isInView && !query.state.data) continue
    void replace(cache, queryKey, () => (isInView ? readReactions(client, queryKey) : null))
  }
  if (!spaceId || !eventId || cache.getQueryState(spaceKey(spaceId)) === undefined) return
  const queryKey = keyOf(spaceId, eventId)
  // The event may be loaded, but never have been in view.
  if (cache.getQueryState(queryKey) === undefined) void replace(cache, queryKey, () => null)
}

/** Marks the reactions of loaded events after a break, during which their changes were not announced. */
export function reactionsMissed(cache: QueryClient, events: readonly Event[]): void {
  for (const { space_id, event_id } of events) {
    const queryKey = keyOf(space_id, event_id)
    if (cache.getQueryData(queryKey) === undefined) void keep(cache, queryKey, () => null)
  }
}

/** Removes the reactions of a closed history, which reads its events with theirs when it opens again. */
export function forgetReactions(cache: QueryClient, spaceId: string): void {
  const queries = cache.getQueryCache()
  for (const query of queries.findAll({ queryKey: [REACTIONS, spaceId] })) {
    if (query.getObserversCount() === 0) queries.remove(query)
  }
}

type ReadReactions = () => Promise<Reactions> | null

async function replace(cache: QueryClient, queryKey: QueryKey, queryFn: ReadReactions) {
  await answered(cache, { queryKey, exact: true })
  await keep(cache, queryKey, queryFn)
}

/** Kept until the history closes, since it keeps events with the reactions that they were read with. */
const keep = (cache: QueryClient, queryKey: QueryKey, queryFn: ReadReactions) =>
  cache.prefetchQuery({ queryKey, queryFn, staleTime: 0, gcTime: Number.POSITIVE_INFINITY })
