import type { RouterOutputs, Space, SpaceDetails } from '@collab-spaces/client'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { complain } from '../app/Toast'
import { useSession } from '../session/session'
import { refresh } from './call'
import { SPACES, spaceKey } from './space'

export type Preferences = RouterOutputs['preference']['change']

const CHANGE = ['preferences'] as const

/** How this account has a space for itself. What is chosen shows at once, and is taken back if it could not be kept. */
export function useChangePreferences(spaceId: string) {
  const { client } = useSession()
  const cache = useQueryClient()
  return useMutation({
    mutationKey: CHANGE,
    // One after the other, so that the last choice is the one that is kept.
    scope: { id: `preferences of ${spaceId}` },
    mutationFn: (change: Partial<Preferences>) => client.preference.change.mutate({ space_id: spaceId, ...change }),
    onMutate: async (change) => {
      // What is being read does not know of it.
      await Promise.all([SPACES, spaceKey(spaceId)].map((queryKey) => cache.cancelQueries({ queryKey })))
      prefer(cache, spaceId, change)
    },
    onError: complain,
    onSettled: () => cache.isMutating({ mutationKey: CHANGE }) === 1 && refresh(SPACES, spaceKey(spaceId))(cache),
  })
}

/** Changes the preferences of a space wherever they are shown. */
function prefer(cache: QueryClient, spaceId: string, change: Partial<Preferences>): void {
  const preferring = <S extends Pick<Space, 'preferences'>>(space: S): S => ({
    ...space,
    preferences: { ...space.preferences, ...change },
  })
  cache.setQueryData<SpaceDetails>(spaceKey(spaceId), (space) => space && preferring(space))
  cache.setQueriesData<readonly Space[]>({ queryKey: SPACES }, (spaces) =>
    spaces?.map((space) => (space.space_id === spaceId ? preferring(space) : space)),
  )
}
