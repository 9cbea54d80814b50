import type { RouterInputs } from '@collab-spaces/client'
import { useSession } from '../session/session'
import { refresh, SECRET, useChange, useInterval, useRead } from './call'

export const AGENTS = ['agents'] as const
/** Wherever it is shown whether an agent is stopped. */
const SHOWN = [AGENTS, ['card'], ['members'], ['space']] as const

/** How often it is looked whether an agent has come or gone, while nothing tells it. */
const EVERY_MS = 15_000

/** The agents that this account answers for, the oldest first. An agent has none. */
export function useMyAgents({ isWatched = true } = {}) {
  const { account } = useSession()
  const everyMs = useInterval(EVERY_MS)
  return useRead(AGENTS, (client, how) => client.actor.myAgents.query(undefined, how), {
    enabled: account.kind === 'human',
    refetchInterval: isWatched && everyMs,
  })
}

export const useRegisterAgent = () =>
  useChange(
    (client, agent: Omit<RouterInputs['actor']['register'], 'actor_type'>) =>
      client.actor.register.mutate({ ...agent, actor_type: 'agent' }),
    refresh(AGENTS),
    SECRET,
  )

export const useStopAgent = (actorId: string) =>
  useChange(
    (client, reason: string | undefined) => client.actor.stop.mutate({ actor_id: actorId, reason }),
    refresh(...SHOWN),
  )

export const useStartAgent = (actorId: string) =>
  useChange((client) => client.actor.start.mutate({ actor_id: actorId }), refresh(...SHOWN))

/** Stops all agents of this account. */
export const useStopAgents = () =>
  useChange((client, reason: string | undefined) => client.actor.stopMyAgents.mutate({ reason }), refresh(...SHOWN))

export const useReleaseAgent = (actorId: string) =>
  useChange((client) => client.actor.release.mutate({ actor_id: actorId }), refresh(AGENTS))

export const useDeleteAgent = (actorId: string) =>
  useChange((client) => client.actor.delete.mutate({ actor_id: actorId }), refresh(AGENTS))
