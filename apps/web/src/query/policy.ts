import type { RouterInputs, RouterOutputs } from '@collab-spaces/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSession } from '../session/session'

/** Who settles decisions in a space, and how much its agents may say among themselves. */
export type Policy = RouterOutputs['policy']['get']
export type SettleRules = Policy['settle']

/** Something that was done about a space itself. */
export type SpaceAct = RouterOutputs['space']['acts'][number]

const policyKey = (spaceId: string) => ['policy', spaceId] as const

export function usePolicy(spaceId: string) {
  const { client } = useSession()
  return useQuery({
    queryKey: policyKey(spaceId),
    queryFn: ({ signal }) => client.policy.get.query({ space_id: spaceId }, { signal }),
  })
}

/** Who changed the policy or the owners of a space, and what was before: the newest first. */
export function useSpaceActs(spaceId: string) {
  const { client } = useSession()
  return useQuery({
    queryKey: [...policyKey(spaceId), 'acts'],
    queryFn: ({ signal }) => client.space.acts.query({ space_id: spaceId, about: 'space' }, { signal }),
    select: (acts) => acts.toReversed(),
  })
}

export function useSetPolicy(spaceId: string) {
  const { client } = useSession()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (change: Omit<RouterInputs['policy']['set'], 'space_id'>) =>
      client.policy.set.mutate({ ...change, space_id: spaceId }),
    onSuccess: (policy) => {
      cache.setQueryData(policyKey(spaceId), policy)
      void cache.invalidateQueries({ queryKey: [...policyKey(spaceId), 'acts'] })
      // How many approvals a decision needs depends on it.
      return cache.invalidateQueries({ queryKey: ['decisions', spaceId] })
    },
  })
}
