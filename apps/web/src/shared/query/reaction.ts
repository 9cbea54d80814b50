import type { Client, Event } from '@collab-spaces/client'
import { type QueryClient, type QueryKey, useQuery } from '@tanstack/react-query'
import { useSession } from '../session/session'
import { useChange } from './call'
import { answered } from './changed'
import { useHasScope } from './permission'
import { useSpace } from './space'
import { spaceKey } from './space-cache'

export type Reactions = NonNullable<Event['reactions']>

const NONE: Reactions = []
const REACTIONS = 'reactions'

const keyOf = (spaceId: string, eventId: string) => [REACTIONS, spaceId, eventId] as const

const read = (client: Client, [, space_id, event_id]: ReturnType<typeof keyOf>): Promise<Reactions> =>
  client.reaction.list.query({ space_id, event_id })

/** Returns the reactions to an event: those that it was read with, or newer ones. */
export function useReactions({ space_id, event_id, reactions = NONE }: Event): Reactions {
  const { client } = useSession()
  const queryKey = keyOf(space_id, event_id)
  const { data } = useQuery<Reactions | null>({
    queryKey,
    queryFn: () => read(client, queryKey),
    // They are null after a change while the event was not in view. A list names some actors only.
    enabled: ({ state }) => state.data === null || (state.data === undefined && reactions.some(isCut)),
  })
  return data ?? reactions
}

const isCut = ({ count, actors }: Reactions[number]) => count > actors.length

/** Returns whether this account may react in a space. */
export function useCanReact(spaceId: string): boolean {
  const hasScope = useHasScope('react')
  return useSpace(spaceId).data?.status === 'active' && hasScope
}

/** Adds a reaction of this account, or takes it back. */
export function useReact({ space_id, event_id }: Event) {
  const { client } = useSession()
  return useChange(
    ({ reaction }, { emoji, isOn }: { readonly emoji: string; readonly isOn: boolean }) =>
      reaction[isOn ? 'add' : 'remove'].mutate({ space_id, event_id, emoji }),
    (cache) => reactionsChanged(cache, client, space_id, event_id),
  )
}

/** Reads the reactions that are in view again, and marks the others: of an event, a space, or all. */
export function reactionsChanged(cache: QueryClient, client: Client, spaceId?: string, eventId?: string | null): void {
  const prefix: QueryKey = [REACTIONS, spaceId, eventId].filter((part) => typeof part === 'string')
  for (const query of cache.getQueryCache().findAll({ queryKey: prefix })) {
    const queryKey = query.queryKey as ReturnType<typeof keyOf>
    const isInView = query.getObserversCount() > 0
    void replace(cache, queryKey, () => (isInView ? read(client, queryKey) : null))
  }
  if (!spaceId || !eventId || cache.getQueryState(spaceKey(spaceId)) === undefined) return
  const queryKey = keyOf(spaceId, eventId)
  // The event may be loaded, but never have been in view.
  if (cache.getQueryState(queryKey) === undefined) void replace(cache, queryKey, () => null)
}

/** Kept as long as the tab, since the history keeps events with the reactions that they were read with. */
async function replace(cache: QueryClient, queryKey: QueryKey, queryFn: () => Promise<Reactions> | null) {
  await answered(cache, { queryKey, exact: true })
  await cache.prefetchQuery({ queryKey, queryFn, staleTime: 0, gcTime: Number.POSITIVE_INFINITY })
}
