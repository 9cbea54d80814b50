import type { RouterInputs, RouterOutputs } from '@collab-spaces/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSession } from '../session/session'

/** Something that was done about a decision: by whom, when, and with which credential. */
export type DecisionAct = RouterOutputs['decision']['acts'][number]

const decisionsKey = (spaceId: string) => ['decisions', spaceId] as const

/** Others propose and settle while somebody looks: decisions are in no stream, so they are read again. */
const EVERY_MS = 10_000

/** All decisions of a space, the oldest first. */
export function useDecisions(spaceId: string) {
  const { client } = useSession()
  return useQuery({
    queryKey: decisionsKey(spaceId),
    queryFn: ({ signal }) => client.decision.list.query({ space_id: spaceId }, { signal }),
    refetchInterval: EVERY_MS,
  })
}

/** How many are proposed, resolved and rejected. */
export function useDecisionCounts(spaceId: string) {
  const { client } = useSession()
  return useQuery({
    queryKey: [...decisionsKey(spaceId), 'counts'],
    queryFn: ({ signal }) => client.decision.summary.query({ space_id: spaceId }, { signal }),
    refetchInterval: EVERY_MS,
  })
}

/** What was done about a decision, in that order. */
export function useDecisionActs(spaceId: string, decisionId: string) {
  const { client } = useSession()
  return useQuery({
    queryKey: [...decisionsKey(spaceId), 'acts', decisionId],
    queryFn: ({ signal }) => client.decision.acts.query({ space_id: spaceId, decision_id: decisionId }, { signal }),
    refetchInterval: EVERY_MS,
  })
}

export function usePropose(spaceId: string) {
  const { client, account } = useSession()
  const refresh = useRefresh(spaceId)
  return useMutation({
    mutationFn: (proposal: Omit<RouterInputs['decision']['propose'], 'space_id' | 'proposed_by'>) =>
      client.decision.propose.mutate({ ...proposal, space_id: spaceId, proposed_by: account.actorId }),
    onSuccess: refresh,
  })
}

export function useReview(spaceId: string, decisionId: string) {
  const { client } = useSession()
  const refresh = useRefresh(spaceId)
  return useMutation({
    mutationFn: (review: Pick<RouterInputs['decision']['review'], 'verdict' | 'note'>) =>
      client.decision.review.mutate({ ...review, space_id: spaceId, decision_id: decisionId }),
    onSuccess: refresh,
  })
}

export function useSettle(spaceId: string, decisionId: string) {
  const { client, account } = useSession()
  const refresh = useRefresh(spaceId)
  return useMutation({
    mutationFn: (outcome: Pick<RouterInputs['decision']['resolve'], 'status' | 'resolution'>) =>
      client.decision.resolve.mutate({
        ...outcome,
        space_id: spaceId,
        decision_id: decisionId,
        resolved_by: account.actorId,
      }),
    onSuccess: refresh,
  })
}

/** Reads the decisions of a space again, their acts and counts, and what waits for somebody because of them. */
function useRefresh(spaceId: string) {
  const cache = useQueryClient()
  return () =>
    Promise.all([
      cache.invalidateQueries({ queryKey: decisionsKey(spaceId) }),
      cache.invalidateQueries({ queryKey: ['inbox'] }),
    ])
}
