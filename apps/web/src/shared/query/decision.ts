import type { Decision, DecisionListAllInput, Event, RouterInputs } from '@collab-spaces/client'
import { keepPreviousData, type QueryClient, useInfiniteQuery } from '@tanstack/react-query'
import { useSession } from '../session/session'
import { refresh, useChange, useDebounced, useInterval, useRead } from './call'
import { refetchChanged } from './changed'

const decisionsKey = (spaceId: string) => ['decisions', spaceId] as const

/** The refetch intervals of lists, and of data that an open history keeps up to date. */
const LIST_INTERVAL_MS = 10_000
const STREAMED_INTERVAL_MS = 60_000

/** Returns all decisions of a space, oldest first. */
export const useDecisions = (spaceId: string) =>
  useRead(decisionsKey(spaceId), (client, how) => client.decision.list.query({ space_id: spaceId }, how), {
    refetchInterval: useInterval(LIST_INTERVAL_MS),
  })

/** The key of the lists of decisions of several spaces. */
export const ALL_DECISIONS = ['all-decisions'] as const

type WhichDecisions = Pick<DecisionListAllInput, 'filter' | 'space_id'>
export type DecisionFilter = NonNullable<WhichDecisions['filter']>

const DECISIONS_AT_ONCE = 20

/** Returns decisions of all joined spaces, or of one, in pages, newest first. */
export function useAllDecisions(which: WhichDecisions) {
  const { client } = useSession()
  return useInfiniteQuery({
    queryKey: [...ALL_DECISIONS, which],
    queryFn: ({ pageParam: cursor, signal }) =>
      client.decision.listAll.query({ ...which, limit: DECISIONS_AT_ONCE, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.length === DECISIONS_AT_ONCE ? page.at(-1)?.decision_id : undefined),
    select: ({ pages }) => pages.flat(),
    refetchInterval: useInterval(LIST_INTERVAL_MS),
  })
}

/** Returns one decision. */
export const useDecision = (spaceId: string, decisionId: string | null) =>
  useRead(
    [...decisionsKey(spaceId), 'one', decisionId],
    (client, how) => client.decision.get.query({ space_id: spaceId, decision_id: decisionId ?? '' }, how),
    { enabled: decisionId !== null, staleTime: STREAMED_INTERVAL_MS },
  )

/** Refreshes the decisions of a space for messages in a thread that none of them has: the discussion of one has begun. */
export function discussionBegan(cache: QueryClient, spaceId: string, messages: readonly Event[]): void {
  const key = decisionsKey(spaceId)
  const known = new Set(cache.getQueryData<Decision[]>(key)?.map(({ thread_id }) => thread_id))
  // The first message about a decision replies to nothing.
  const isFirst = ({ parent_event_id, thread_id }: Event) => parent_event_id === null && !known.has(thread_id)
  if (messages.some(isFirst)) void refetchChanged(cache, { queryKey: key })
}

/** Invalidates a decision after an act; all of the space if null, as they depend on its policy. */
export function decisionChanged(cache: QueryClient, spaceId: string, decisionId: string | null): void {
  const key = decisionsKey(spaceId)
  void refetchChanged(cache, {
    queryKey: key,
    predicate: ({ queryKey }) => queryKey.length < 4 || decisionId === null || queryKey.includes(decisionId),
  })
  void refetchChanged(cache, { queryKey: ALL_DECISIONS })
  if (decisionId === null) void refetchChanged(cache, { queryKey: ['policy', spaceId] })
}

/** Searches decisions as the query is typed, open ones first. Disabled for an empty query. */
export function useDecisionSearch({ q, ...where }: RouterInputs['search']['decisions']) {
  const words = useDebounced(q.trim())
  return useRead(
    ['decision search', words, where],
    (client, how) => client.search.decisions.query({ ...where, q: words }, how),
    { enabled: words !== '', placeholderData: keepPreviousData },
  )
}

/** Returns the number of decisions by status. */
export const useDecisionCounts = (spaceId: string | null) =>
  useRead(
    [...decisionsKey(spaceId ?? ''), 'counts'],
    (client, how) => client.decision.summary.query({ space_id: spaceId ?? '' }, how),
    { refetchInterval: useInterval(LIST_INTERVAL_MS), enabled: spaceId !== null },
  )

/** Returns the acts on a decision, in order. */
export const useDecisionActs = ({ space_id, decision_id }: Decision) =>
  useRead(
    [...decisionsKey(space_id), 'acts', decision_id],
    (client, how) => client.decision.acts.query({ space_id, decision_id }, how),
    { refetchInterval: useInterval(LIST_INTERVAL_MS) },
  )

/** Returns a function that fetches the signed receipt of a decision; null if the server signs none, or not yet. */
export function useSignedReceipt({ space_id, decision_id }: Decision) {
  const { client } = useSession()
  return () => client.log.proof.query({ space_id, decision_id }).catch(() => null)
}

/** Invalidates the decisions of a space, their acts and counts, the lists of several spaces, and the inbox. */
const refreshDecisions = (spaceId: string) => refresh(decisionsKey(spaceId), ALL_DECISIONS, ['inbox'])

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
    (client, outcome: Pick<RouterInputs['decision']['resolve'], 'status' | 'resolution' | 'option' | 'arguments'>) =>
      client.decision.resolve.mutate({ ...outcome, space_id, decision_id, resolved_by: account.actorId }),
    refreshDecisions(space_id),
  )
}
