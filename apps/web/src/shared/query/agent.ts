import type { RouterInputs } from '@collab-spaces/client'
import { useSession } from '../session/session'
import { refresh, SECRET, useChange, useInterval, useRead } from './call'

export const AGENTS = ['agents'] as const
/** The queries that contain whether an agent is stopped. */
const STOP_QUERIES = [AGENTS, ['card'], ['members'], ['space']] as const

/** The refetch interval without signals. */
const REFETCH_INTERVAL_MS = 15_000

/** Returns the agents that this account sponsors, oldest first. Agents have none. */
export function useMyAgents({ isWatched = true } = {}) {
  const { account } = useSession()
  const everyMs = useInterval(REFETCH_INTERVAL_MS)
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

/** Stops an agent, or all of this account if null. */
export const useStop = (actor_id: string | null) =>
  useChange(
    async ({ actor }, reason: string | undefined) => {
      if (actor_id === null) await actor.stopMyAgents.mutate({ reason })
      else await actor.stop.mutate({ actor_id, reason })
    },
    refresh(...STOP_QUERIES),
  )

export const useStartAgent = (actorId: string) =>
  useChange((client) => client.actor.start.mutate({ actor_id: actorId }), refresh(...STOP_QUERIES))

/** Ends the connection of an agent, or the agent. */
export const useEndAgent = (actor_id: string, act: 'release' | 'delete') =>
  useChange(async ({ actor }) => {
    await (act === 'release' ? actor.release : actor.delete).mutate({ actor_id })
  }, refresh(AGENTS))
