import type { RouterInputs } from '@collab-spaces/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSession } from '../session/session'
import { useSettled } from './settled'

type Asked = RouterInputs['search']['events']

/** What was said that fits a query, while it is being typed; nothing for an empty one. */
export function useSearch({ q, ...where }: Asked) {
  const { client } = useSession()
  const words = useSettled(q.trim())
  return useQuery({
    queryKey: ['search', words, where],
    queryFn: ({ signal }) => client.search.events.query({ ...where, q: words }, { signal }),
    enabled: words !== '',
    placeholderData: keepPreviousData,
  })
}
