import type { ActorMessage, RouterOutputs, Space, SpaceDetails } from '@collab-spaces/client'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { refetchChanged } from './changed'
import { SPACES } from './space-cache'

type Changes = Extract<ActorMessage, { kind: 'presence' }>['actors']

/** Shows that people came or went, wherever they are listed. */
export function setPresences(cache: QueryClient, actors: Changes): void {
  const now = new Map(actors.map(({ actor_id, is_present }) => [actor_id, is_present]))
  const withPresence = <Person extends { actor_id: string; is_present: boolean }>(person: Person): Person => {
    const is_present = now.get(person.actor_id) ?? person.is_present
    return is_present === person.is_present ? person : { ...person, is_present }
  }
  const patch = <Data>(queryKey: QueryKey, change: (data: Data) => Data) => {
    for (const { queryKey: key, state } of cache.getQueryCache().findAll({ queryKey })) {
      if (state.fetchStatus === 'fetching') void refetchChanged(cache, { queryKey: key, exact: true })
      // A patch is no refetch: a stale query stays stale.
      cache.setQueryData<Data>(key, (data) => data && change(data), { updatedAt: state.dataUpdatedAt })
      if (state.isInvalidated) void cache.invalidateQueries({ queryKey: key, exact: true, refetchType: 'none' })
    }
  }
  patch<readonly Space[]>(SPACES, (spaces) =>
    spaces.map((space) =>
      space.partners.some(({ actor_id }) => now.has(actor_id))
        ? { ...space, partners: space.partners.map(withPresence) }
        : space,
    ),
  )
  patch<SpaceDetails>(['space'], (space) => ({ ...space, participants: space.participants.map(withPresence) }))
  patch<RouterOutputs['actor']['card']>(['card'], withPresence)
}
