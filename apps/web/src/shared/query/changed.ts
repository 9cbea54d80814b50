import type { InvalidateQueryFilters, QueryClient, QueryFilters } from '@tanstack/react-query'

/** Resolves once the requests in flight are answered: their responses may be from before a change. */
export const answered = (cache: QueryClient, filters: QueryFilters): Promise<unknown> =>
  Promise.allSettled(
    cache
      .getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' })
      .map(({ promise }) => promise),
  )

/** Refetches queries after a change. TanStack would take the response of a first load in flight as fresh. */
export async function refetchChanged(cache: QueryClient, filters: InvalidateQueryFilters): Promise<void> {
  await answered(cache, filters)
  await cache.invalidateQueries(filters, { cancelRefetch: false })
}
