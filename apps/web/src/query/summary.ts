import type { RouterInputs, Summary } from '@collab-spaces/client'
import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSession } from '../session/session'

const lastKey = (spaceId: string) => ['summary', spaceId] as const

/** The last summary that was asked for: it is still there for whoever comes back from what it cites. */
export function useLastSummary(spaceId: string) {
  return useQuery<Summary>({
    queryKey: lastKey(spaceId),
    queryFn: skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
}

/** Summarizes a window of a space when it is asked for: that can take a while, and cost something. */
export function useSummarize(spaceId: string) {
  const { client } = useSession()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (window: Omit<RouterInputs['summary']['get'], 'space_id'>) =>
      client.summary.get.query({ ...window, space_id: spaceId }),
    onSuccess: (summary) => cache.setQueryData(lastKey(spaceId), summary),
  })
}
