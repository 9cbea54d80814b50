import type { RouterOutputs } from '@collab-spaces/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useSession } from '../session/session'
import { complain } from '../toast'
import { refresh } from './call'
import { patchSpace, SPACES, spaceKey } from './space-cache'

export type Preferences = RouterOutputs['preference']['change']

const CHANGE = ['preferences'] as const

/** Changes this account's preferences for a space. A choice shows at once, and is taken back if it fails. */
export function useChangePreferences(spaceId: string) {
  const { client } = useSession()
  const cache = useQueryClient()
  return useMutation({
    mutationKey: CHANGE,
    // One after the other, so that the last choice is the one that is kept.
    scope: { id: `preferences of ${spaceId}` },
    mutationFn: (change: Partial<Preferences>) => client.preference.change.mutate({ space_id: spaceId, ...change }),
    onMutate: async (change) => {
      // A request that is under way does not know of the change.
      await Promise.all([SPACES, spaceKey(spaceId)].map((queryKey) => cache.cancelQueries({ queryKey })))
      patchSpace(cache, spaceId, ({ preferences }) => ({ preferences: { ...preferences, ...change } }))
    },
    onError: complain,
    onSettled: () => cache.isMutating({ mutationKey: CHANGE }) === 1 && refresh(SPACES, spaceKey(spaceId))(cache),
  })
}
