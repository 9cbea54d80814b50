import type { RouterInputs } from '@collab-spaces/client'
import { refresh, useChange, useRead } from './call'

const policyKey = (spaceId: string) => ['policy', spaceId] as const

export const usePolicy = (spaceId: string, { isWanted = true } = {}) =>
  useRead(policyKey(spaceId), (client, how) => client.policy.get.query({ space_id: spaceId }, how), {
    enabled: isWanted,
  })

/** Returns the acts on the policy, owners and participants of a space, newest first. */
export const useSpaceActs = (spaceId: string) =>
  useRead(
    [...policyKey(spaceId), 'acts'],
    (client, how) => client.space.acts.query({ space_id: spaceId, about: 'space' }, how),
    { select: (acts) => acts.toReversed() },
  )

export const useSetPolicy = (spaceId: string) =>
  useChange(
    (client, change: Omit<RouterInputs['policy']['set'], 'space_id'>) =>
      client.policy.set.mutate({ ...change, space_id: spaceId }),
    (cache, policy) => {
      cache.setQueryData(policyKey(spaceId), policy)
      // The number of required approvals depends on it.
      return refresh([...policyKey(spaceId), 'acts'], ['decisions', spaceId])(cache)
    },
  )
