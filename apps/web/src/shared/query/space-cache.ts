import type { Space, SpaceDetails } from '@collab-spaces/client'
import type { QueryClient } from '@tanstack/react-query'

export const SPACES = ['spaces'] as const
export const spaceKey = (spaceId: string) => ['space', spaceId] as const
/** The names in texts that are typed in a space. */
export const mentionsKey = (spaceId: string) => ['mentions', spaceId] as const

/** Patches a space in all queries that contain it. */
export function patchSpace(
  cache: QueryClient,
  spaceId: string,
  patch: (space: Space | SpaceDetails) => Partial<Space>,
): void {
  const shown = [SPACES, spaceKey(spaceId)].flatMap((queryKey) => cache.getQueryCache().findAll({ queryKey }))
  const outdated = shown.filter(({ state }) => state.isInvalidated)
  cache.setQueryData<SpaceDetails>(spaceKey(spaceId), (space) => space && { ...space, ...patch(space) })
  cache.setQueriesData<readonly Space[]>({ queryKey: SPACES }, (spaces) =>
    spaces?.map((space) => (space.space_id === spaceId ? { ...space, ...patch(space) } : space)),
  )
  // `setQueryData` marks queries as fresh. Stale ones stay stale.
  void cache.invalidateQueries({ predicate: (query) => outdated.includes(query), refetchType: 'none' })
}

/** Refetches lists that are loading: cancels a refetch, but awaits an initial load. */
export async function refetchLoadingLists(cache: QueryClient): Promise<void> {
  const underWay = cache.getQueryCache().findAll({ queryKey: SPACES, fetchStatus: 'fetching' })
  const isFirst = new Set(underWay.filter(({ state }) => state.data === undefined))
  await cache.invalidateQueries({ predicate: (query) => underWay.includes(query) })
  await cache.invalidateQueries({ predicate: (query) => isFirst.has(query) })
}

export const isMuted = ({ preferences }: Pick<Space, 'preferences'>): boolean => preferences.notices === 'none'
