import type { RouterInputs, Summary } from '@collab-spaces/client'
import { skipToken, useQuery } from '@tanstack/react-query'
import { language } from '../../languages/language'
import { useChange } from './call'

const lastKey = (spaceId: string) => ['summary', spaceId] as const

/** Returns the last summary, cached for readers who return from a cited event. */
export function useLastSummary(spaceId: string) {
  return useQuery<Summary>({
    queryKey: lastKey(spaceId),
    queryFn: skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
}

/** Summarizes a period of a space in the language of the page. A mutation, as it may be slow and cost money. */
export const useSummarize = (spaceId: string) =>
  useChange(
    (client, window: Omit<RouterInputs['summary']['get'], 'space_id' | 'language'>) =>
      client.summary.get.query({ ...window, space_id: spaceId, language }),
    (cache, summary) => cache.setQueryData(lastKey(spaceId), summary),
  )
