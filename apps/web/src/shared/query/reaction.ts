import type { Event } from '@collab-spaces/client'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../session/session'
import { useChange } from './call'
import { useHasScope } from './permission'
import { keyOf, type Reactions, reactionsChanged, readReactions } from './reaction-cache'
import { useSpace } from './space'

const NONE: Reactions = []

/** Returns the reactions to an event: those that it was read with, or newer ones. */
export function useReactions({ space_id, event_id, reactions = NONE }: Event): Reactions {
  const { client } = useSession()
  const queryKey = keyOf(space_id, event_id)
  const { data } = useQuery<Reactions | null>({
    queryKey,
    queryFn: () => readReactions(client, queryKey),
    // They are null after a change while the event was not in view. A list names some actors only.
    enabled: ({ state }) => state.data === null || (state.data === undefined && reactions.some(isCut)),
    staleTime: 0,
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
