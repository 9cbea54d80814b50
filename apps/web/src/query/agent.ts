import type { RouterInputs } from '@collab-spaces/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSession } from '../session/session'

const AGENTS = ['agents'] as const

/** How often it is looked whether an agent has come or gone. */
const EVERY_MS = 15_000

/** The agents that this account answers for, the oldest first. An agent has none. */
export function useMyAgents() {
  const { client, account } = useSession()
  return useQuery({
    queryKey: AGENTS,
    queryFn: ({ signal }) => client.actor.myAgents.query(undefined, { signal }),
    enabled: account.kind === 'human',
    refetchInterval: EVERY_MS,
  })
}

export function useRegisterAgent() {
  const { client } = useSession()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (agent: Omit<RouterInputs['actor']['register'], 'actor_type'>) =>
      client.actor.register.mutate({ ...agent, actor_type: 'agent' }),
    onSuccess: refresh,
    // It has a secret in it, which nothing is to remember.
    gcTime: 0,
  })
}

export function useStopAgent(actorId: string) {
  const { client } = useSession()
  const onSuccess = useRefresh()
  return useMutation({
    mutationFn: (reason: string | undefined) => client.actor.stop.mutate({ actor_id: actorId, reason }),
    onSuccess,
  })
}

export function useStartAgent(actorId: string) {
  const { client } = useSession()
  const onSuccess = useRefresh()
  return useMutation({ mutationFn: () => client.actor.start.mutate({ actor_id: actorId }), onSuccess })
}

/** Stops all agents of this account. */
export function useStopAgents() {
  const { client } = useSession()
  const onSuccess = useRefresh()
  return useMutation({
    mutationFn: (reason: string | undefined) => client.actor.stopMyAgents.mutate({ reason }),
    onSuccess,
  })
}

export function useReleaseAgent(actorId: string) {
  const { client } = useSession()
  const onSuccess = useRefresh()
  return useMutation({ mutationFn: () => client.actor.release.mutate({ actor_id: actorId }), onSuccess })
}

export function useDeleteAgent(actorId: string) {
  const { client } = useSession()
  const onSuccess = useRefresh()
  return useMutation({ mutationFn: () => client.actor.delete.mutate({ actor_id: actorId }), onSuccess })
}

function useRefresh() {
  const cache = useQueryClient()
  return () => cache.invalidateQueries({ queryKey: AGENTS })
}
