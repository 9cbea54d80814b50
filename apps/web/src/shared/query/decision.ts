import type { Decision, RouterInputs } from '@collab-spaces/client'
import { keepPreviousData, type QueryClient } from '@tanstack/react-query'
import { useSession } from '../session/session'
import { refresh, useChange, useInterval, useRead } from './call'
import { useSettled } from './settled'

const decisionsKey = (spaceId: string) => ['decisions', spaceId] as const

/** Others propose and settle while somebody looks. */
const EVERY_MS = 10_000
/** Where a history is open, it is told of changes. */
const HEARD_OF_MS = 60_000

/** All decisions of a space, the oldest first. */
export const useDecisions = (spaceId: string) =>
  useRead(decisionsKey(spaceId), (client, how) => client.decision.list.query({ space_id: spaceId }, how), {
    refetchInterval: useInterval(EVERY_MS),
  })

/** One decision, as it was when something was last heard of it. */
export const useDecision = (spaceId: string, decisionId: string | null) =>
  useRead(
    [...decisionsKey(spaceId), 'one', decisionId],
    (client, how) => client.decision.get.query({ space_id: spaceId, decision_id: decisionId ?? '' }, how),
    { enabled: decisionId !== null, staleTime: HEARD_OF_MS },
  )

/** Something was done about a decision; null for the space itself, on whose policy all of them depend. */
export function decisionChanged(cache: QueryClient, spaceId: string, decisionId: string | null): void {
  const key = decisionsKey(spaceId)
  void cache.invalidateQueries({
    queryKey: key,
    predicate: ({ queryKey }) => queryKey.length < 4 || decisionId === null || queryKey.includes(decisionId),
  })
  if (decisionId === null) void cache.invalidateQueries({ queryKey: ['policy', spaceId] })
}

/** The decisions that fit a query, while it is being typed, the open ones first; nothing for an empty one. */
export function useDecisionSearch({ q, ...where }: RouterInputs['search']['decisions']) {
  const words = useSettled(q.trim())
  return useRead(
    ['decision search', words, where],
    (client, how) => client.search.decisions.query({ ...where, q: words }, how),
    { enabled: words !== '', placeholderData: keepPreviousData },
  )
}

/** How many are proposed, resolved and rejected. */
export const useDecisionCounts = (spaceId: string | null) =>
  useRead(
    [...decisionsKey(spaceId ?? ''), 'counts'],
    (client, how) => client.decision.summary.query({ space_id: spaceId ?? '' }, how),
    { refetchInterval: useInterval(EVERY_MS), enabled: spaceId !== null },
  )

/** The acts about a decision, in their order. */
export const useDecisionActs = ({ space_id, decision_id }: Decision) =>
  useRead(
    [...decisionsKey(space_id), 'acts', decision_id],
    (client, how) => client.decision.acts.query({ space_id, decision_id }, how),
    { refetchInterval: useInterval(EVERY_MS) },
  )

/** Asks for the receipt that proves a decision. Null if the server signs none, or has not sealed the last act yet. */
export function useSignedReceipt({ space_id, decision_id }: Decision) {
  const { client } = useSession()
  return () => client.log.proof.query({ space_id, decision_id }).catch(() => null)
}

/** The decisions of a space, their acts and counts, and what waits for somebody because of them. */
const refreshDecisions = (spaceId: string) => refresh(decisionsKey(spaceId), ['inbox'])

export function usePropose(spaceId: string) {
  const { account } = useSession()
  return useChange(
    (client, proposal: Omit<RouterInputs['decision']['propose'], 'space_id' | 'proposed_by'>) =>
      client.decision.propose.mutate({ ...proposal, space_id: spaceId, proposed_by: account.actorId }),
    refreshDecisions(spaceId),
  )
}

export const useReview = ({ space_id, decision_id }: Decision) =>
  useChange(
    (client, review: Pick<RouterInputs['decision']['review'], 'verdict' | 'note'>) =>
      client.decision.review.mutate({ ...review, space_id, decision_id }),
    refreshDecisions(space_id),
  )

export function useSettle({ space_id, decision_id }: Decision) {
  const { account } = useSession()
  return useChange(
    (client, outcome: Pick<RouterInputs['decision']['resolve'], 'status' | 'resolution'>) =>
      client.decision.resolve.mutate({ ...outcome, space_id, decision_id, resolved_by: account.actorId }),
    refreshDecisions(space_id),
  )
}
