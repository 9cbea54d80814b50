import type { RouterInputs, Summary } from '@collab-spaces/client'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useChange } from './call'

const lastKey = (spaceId: string) => ['summary', spaceId] as const

/** The last summary that was asked for: it is still there for a reader who comes back from an event that it cites. */
export function useLastSummary(spaceId: string) {
  return useQuery<Summary>({
    queryKey: lastKey(spaceId),
    queryFn: skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
}

/** Summarizes a window of a space when it is asked for: that can take a while, and cost something. */
export const useSummarize = (spaceId: string) =>
  useChange(
    (client, window: Omit<RouterInputs['summary']['get'], 'space_id'>) =>
      client.summary.get.query({ ...window, space_id: spaceId }),
    (cache, summary) => cache.setQueryData(lastKey(spaceId), summary),
  )
