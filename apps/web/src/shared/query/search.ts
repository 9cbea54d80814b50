import type { RouterInputs } from '@collab-spaces/client'
import { keepPreviousData } from '@tanstack/react-query'
import { useDebounced, useRead } from './call'

type SearchInput = RouterInputs['search']['events']

/** Searches messages as the query is typed. Disabled for an empty query. */
export function useSearch({ q, ...where }: SearchInput) {
  const words = useDebounced(q.trim())
  return useRead(['search', words, where], (client, how) => client.search.events.query({ ...where, q: words }, how), {
    enabled: words !== '',
    placeholderData: keepPreviousData,
  })
}
