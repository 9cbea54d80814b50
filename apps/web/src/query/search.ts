import type { RouterInputs } from '@collab-spaces/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSession } from '../session/session'

type Asked = RouterInputs['search']['events']

/** How long somebody stops typing before a search begins. */
const PAUSE_MS = 200

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

/** A value once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
