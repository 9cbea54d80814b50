import type { RouterOutputs } from '@collab-spaces/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useSession } from '../session/session'
import { toastError } from '../toast'
import { refresh } from './call'
import { patchSpace, SPACES, spaceKey } from './space-cache'

export type Preferences = RouterOutputs['preference']['change']

const CHANGE = ['preferences'] as const

/** Changes this account's preferences for a space, with an optimistic update. */
export function useChangePreferences(spaceId: string) {
  const { client } = useSession()
  const cache = useQueryClient()
  return useMutation({
    mutationKey: CHANGE,
    // One at a time, so that the last change wins.
    scope: { id: `preferences of ${spaceId}` },
    mutationFn: (change: Partial<Preferences>) => client.preference.change.mutate({ space_id: spaceId, ...change }),
    onMutate: async (change) => {
      // A request in flight would overwrite the change.
      await Promise.all([SPACES, spaceKey(spaceId)].map((queryKey) => cache.cancelQueries({ queryKey })))
      patchSpace(cache, spaceId, ({ preferences }) => ({ preferences: { ...preferences, ...change } }))
    },
    onError: toastError,
    onSettled: () => cache.isMutating({ mutationKey: CHANGE }) === 1 && refresh(SPACES, spaceKey(spaceId))(cache),
  })
}
